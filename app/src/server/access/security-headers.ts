/** The page runs only its own files: no inline code, no other hosts, and no framing by other pages. */
const pagePolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' blob: data:",
	"font-src 'self'",
	"media-src 'self' blob:",
	"connect-src 'self'",
	"frame-src 'self'",
	"manifest-src 'self'",
	"worker-src 'self'",
	"form-action 'none'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join("; ");

/** Headers of every response, unless a route sets its own. */
export const securityHeaders = {
	"content-security-policy": pagePolicy,
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"x-dns-prefetch-control": "off",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": "camera=(), microphone=(), geolocation=()",
} as const;

/** The policy for a file from an agent: a separate origin, no scripts, no network access; only its own styles and embedded content. */
export const filePolicy = [
	"sandbox",
	"default-src 'none'",
	"style-src 'unsafe-inline'",
	"img-src data:",
	"font-src data:",
	"media-src data:",
	"form-action 'none'",
	"base-uri 'none'",
	"frame-ancestors 'self'",
].join("; ");

/** Browsers show a PDF in their own viewer, which is separate from the page's origin and does not work in a sandbox. */
export const pdfPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; frame-ancestors 'self'";
