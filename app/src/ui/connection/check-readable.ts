import { refusalOf } from "./app-refusal.ts";
import { reach } from "./call-app.ts";

/**
 * Requests the first byte of an image or a recording that the browser could not load, because the browser does not say why.
 * @returns true if the app can serve the file
 * @throws AppRefusal why it cannot
 */
export async function checkReadable(url: string, signal: AbortSignal): Promise<true> {
	const response = await reach(url, { signal, headers: { range: "bytes=0-0" } });
	if (!response.ok) throw await refusalOf(response);
	return true;
}
