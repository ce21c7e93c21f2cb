@echo off
rem Runs a sample by its name: samples\run NAME [-Dproperty=value...] [options]; see .launch\Launch.java.
setlocal
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
if not defined JAVA_HOME (where /q java || (echo samples\run: no java in PATH, install JDK 22 or later.>&2 & exit /b 1))
set "options=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"%java%" %options% "%~dp0..\.launch\Launch.java" "%~dp0.." samples io.jverbs.samples.Samples %*
exit /b %ERRORLEVEL%
