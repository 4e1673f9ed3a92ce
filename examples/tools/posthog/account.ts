/** Where your project is: `https://us.posthog.com`, `https://eu.posthog.com`, or your own server. */
export const apiUrl = "https://us.posthog.com";
