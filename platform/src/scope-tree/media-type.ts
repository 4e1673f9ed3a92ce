import mime from "mime";

/** The media type by the name's extension; the content is never inspected. */
export function mediaType(relativePath: string): string {
	// The slash keeps a file called "html" from being taken for an extension.
	return mime.getType(`/${relativePath}`) ?? "application/octet-stream";
}
