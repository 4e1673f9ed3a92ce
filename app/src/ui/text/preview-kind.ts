import type { ThreadFile } from "../../api/ui-api.ts";

/** `unknown`: the file's bytes decide whether it is text. */
export type PreviewKind = "markdown" | "csv" | "html" | "text" | "image" | "pdf" | "audio" | "video" | "unknown" | "none";

const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon)$/;
const TEXT = /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript|x-sh|sql)$/;
/**
 * Extensions of text files. Some of them are assigned to something else in the registry of media types, such as `.ts`, or are missing from
 * it.
 */
const PROGRAM = /\.(?:txt|log|[cm]?tsx?|[cm]?js|jsx|py|rb|sh|rs|go|swift|kt|c|h|cpp|java|toml|ya?ml|ini|cfg|conf|env|diff|patch)$/i;

/** How a file is previewed, judging by its name and its media type, which also comes from the name. */
export function previewKind({ mediaType, relativePath }: Pick<ThreadFile, "mediaType" | "relativePath">): PreviewKind {
	if (mediaType === "text/markdown" || /\.(?:md|markdown)$/i.test(relativePath)) return "markdown";
	if (mediaType === "text/csv" || mediaType === "text/tab-separated-values") return "csv";
	// An SVG may be expensive to render. In a frame, it can freeze only the frame; as an image, it would freeze the page.
	if (mediaType === "text/html" || mediaType === "image/svg+xml") return "html";
	if (PROGRAM.test(relativePath)) return "text";
	if (IMAGE.test(mediaType)) return "image";
	if (mediaType === "application/pdf") return "pdf";
	if (mediaType.startsWith("audio/")) return "audio";
	if (mediaType.startsWith("video/")) return "video";
	if (TEXT.test(mediaType)) return "text";
	return mediaType === "application/octet-stream" ? "unknown" : "none";
}
