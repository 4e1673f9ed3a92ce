import type { HighlightRequest } from "./highlight.ts";
import { highlightCode, languageOf } from "./highlight-code.ts";

/** Off the page's thread: what colours programs does so by patterns that a hostile file can make slow. */
addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
	const language = languageOf(data.relativePath);
	postMessage(language === undefined ? undefined : highlightCode(data.text, language));
});
