/** A media type that is safe in a header: it is derived from a file name that an agent chose, or sent by a client. */
export function safeMediaType(mediaType: string): string {
	return /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(mediaType) ? mediaType : "application/octet-stream";
}
