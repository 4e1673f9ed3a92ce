import { refusalOf } from "./app-refusal.ts";
import { reach } from "./call-app.ts";

/**
 * Requests the first byte of a file that the browser loads by itself, such as an image, a recording or a frame, because the browser does
 * not say why it could not load the file.
 * @returns true if the app can serve the file
 * @throws AppRefusal why it cannot
 */
export async function checkReadable(url: string, signal: AbortSignal): Promise<true> {
	const response = await reach(url, { signal, headers: { range: "bytes=0-0" } });
	if (!response.ok) throw await refusalOf(response);
	return true;
}
