import mime from "mime";

/** The media type that the name's extension says; what a file holds is never looked at. */
export function mediaType(relativePath: string): string {
	// The slash keeps a file called "html" from being taken for an extension.
	return mime.getType(`/${relativePath}`) ?? "application/octet-stream";
}
