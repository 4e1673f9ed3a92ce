/** GitHub's API. On GitHub Enterprise Server: `https://<host>/api/v3`. */
export const apiUrl = "https://api.github.com";
