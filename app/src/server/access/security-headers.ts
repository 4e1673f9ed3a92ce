/** The page runs its own files alone: no inline code, no other host, no frame around it. */
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

/** Headers of every answer, unless a route sets stricter ones. */
export const securityHeaders = {
	"content-security-policy": pagePolicy,
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"x-dns-prefetch-control": "off",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": "camera=(), microphone=(), geolocation=()",
} as const;

/** A file that an agent made: its own origin, no script, no network; its own styles and what it carries inside. */
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

/** Browsers show a PDF with their own viewer, apart from the page's origin, and not in a sandbox. */
export const pdfPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; frame-ancestors 'self'";
