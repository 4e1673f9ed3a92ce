import mime from "mime";
import { filePolicy, pdfPolicy } from "../access/security-headers.ts";

export interface ServedType {
	readonly type: string;
	readonly policy: string;
	/** True if a browser may display the file instead of downloading it. */
	readonly inline: boolean;
}

const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/svg+xml"]);
const texts = /^(?:text\/|application\/(?:json|xml|javascript|ecmascript|toml|yaml|sql|x-sh|x-yaml|typescript|ld\+json|geo\+json)$)/;

/**
 * Decides how a file is served, by its name alone and never by its content. Text is served as plain text, except for HTML, which is
 * sandboxed.
 */
export function servedType(path: string): ServedType {
	const type = mime.getType(path) ?? "application/octet-stream";
	const shown = (as: string, policy = filePolicy): ServedType => ({ type: as, policy, inline: true });
	if (type === "text/html" || type === "application/xhtml+xml") return shown("text/html; charset=utf-8");
	if (type === "application/pdf") return shown(type, pdfPolicy);
	if (images.has(type)) return shown(type);
	// The registry of media types lists .ts as video; here it is always TypeScript.
	if (/\.[cm]?tsx?$/i.test(path) || texts.test(type)) return shown("text/plain; charset=utf-8");
	if (/^(?:audio|video)\//.test(type)) return shown(type);
	return { type: "application/octet-stream", policy: filePolicy, inline: false };
}
