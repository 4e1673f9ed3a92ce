/** A media type as it may be in a header: it comes from a file name that an agent chose, or from what a client sent. */
export function safeMediaType(mediaType: string): string {
	return /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(mediaType) ? mediaType : "application/octet-stream";
}
