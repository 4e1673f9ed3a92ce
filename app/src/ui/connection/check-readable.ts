import { refusalOf } from "./app-refusal.ts";
import { reach } from "./call-app.ts";

/**
 * Requests a file's first byte. For a file that the browser itself loads, as an image, a recording or a frame: the browser does not say why
 * it could not.
 * @returns true if the app can serve the file
 * @throws AppRefusal why it cannot
 */
export async function checkReadable(url: string, signal: AbortSignal): Promise<true> {
	const response = await reach(url, { signal, headers: { range: "bytes=0-0" } });
	if (!response.ok) throw await refusalOf(response);
	return true;
}
