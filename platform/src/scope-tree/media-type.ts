import mime from "mime";

/** The media type for the name's extension. The content is not inspected. */
export function mediaType(relativePath: string): string {
	// With the slash, a file named "html" is not mistaken for an extension.
	return mime.getType(`/${relativePath}`) ?? "application/octet-stream";
}
