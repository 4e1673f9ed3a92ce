/**
 * The name of the file, and the id under which the bridge reports a problem that concerns no single agent in it. The constant is in its own
 * module, because the page's first paint needs it and loads no schemas.
 */
export const providersFile = "providers.json";
