package io.jverbs.soft.management.message;

/** Why a datagram is not a message of communication management. The labels are the names of the counters. */
public enum MadRefusal {
    /** The base version is not 1. */
    BASE_VERSION("cm_rx_bad_base_version"),
    /** The management class is not communication management. */
    MANAGEMENT_CLASS("cm_rx_bad_class"),
    /** The class version is not 2. */
    CLASS_VERSION("cm_rx_bad_class_version"),
    /** The method is not Send. */
    METHOD("cm_rx_bad_method"),
    /** The attribute is not one of {@link CmAttribute}; LAP and APR, which change a path, are not. */
    ATTRIBUTE("cm_rx_unknown_attribute");

    private final String label;

    MadRefusal(String label) {
        this.label = label;
    }

    /** {@return the name of the counter} */
    public String label() {
        return label;
    }
}
