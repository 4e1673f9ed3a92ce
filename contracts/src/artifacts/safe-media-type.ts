/** Makes a media type safe to use in a header. It may derive from a file name that an agent chose, or come from a client. */
export function safeMediaType(mediaType: string): string {
	return /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(mediaType) ? mediaType : "application/octet-stream";
}
