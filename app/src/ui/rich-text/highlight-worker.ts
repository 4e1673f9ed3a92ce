import type { HighlightRequest } from "./highlight.ts";
import { highlightCode, languageOf } from "./highlight-code.ts";

/** A worker, so that the page is not blocked: highlighting uses regular expressions that a hostile file can make slow. */
addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
	const language = languageOf(data.relativePath);
	postMessage(language === undefined ? undefined : highlightCode(data.text, language));
});
