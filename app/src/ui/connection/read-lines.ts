import { words } from "../../strings/interface.ts";
import { noteHeard } from "./app-heard.ts";
import { APP_GONE, AppRefusal, refusalOf } from "./app-refusal.ts";
import { reach } from "./call-app.ts";

/** The app sends `alive` every 5 seconds. If three in a row are missing, the connection is dead, even if the system does not report it. */
const SILENCE_MS = 16_000;

/**
 * Follows a stream of JSON lines until the app ends it.
 * @throws AppRefusal with the app's code if it refuses, or APP_GONE if the stream breaks or falls silent
 */
export async function* readLines<T>(path: string, signal: AbortSignal, opened: () => void = () => {}): AsyncGenerator<T> {
	const silence = new AbortController();
	let timer = setTimeout(() => silence.abort(), SILENCE_MS);
	try {
		const response = await reach(path, { signal: AbortSignal.any([signal, silence.signal]) });
		if (!response.ok) throw await refusalOf(response);
		opened();
		if (response.body === null) throw new AppRefusal(APP_GONE, words.page.appSilent);
		const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
		let rest = "";
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			noteHeard();
			clearTimeout(timer);
			timer = setTimeout(() => silence.abort(), SILENCE_MS);
			const lines = (rest + value).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) if (line !== "") yield JSON.parse(line) as T;
		}
	} catch (cause) {
		if (signal.aborted || cause instanceof AppRefusal) throw cause;
		throw new AppRefusal(APP_GONE, words.page.appSilent);
	} finally {
		clearTimeout(timer);
		silence.abort();
	}
}
