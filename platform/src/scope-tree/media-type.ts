import mime from "mime";

/** The media type that the extension of the name stands for. The content is not inspected. */
export function mediaType(relativePath: string): string {
	// With the slash, a file named "html" is not mistaken for an extension.
	return mime.getType(`/${relativePath}`) ?? "application/octet-stream";
}
