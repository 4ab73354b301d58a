/** The version of this package, as in package.json. Sent as the user agent. */
export const VERSION = "0.4.0";
