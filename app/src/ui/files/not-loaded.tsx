import { useEffect, useRef } from "react";
import { fill, words } from "../../strings/interface.ts";
import { checkReadable } from "../connection/check-readable.ts";
import { useAnswer } from "../state/use-answer.ts";
import { NoPreview } from "./no-preview.tsx";

interface NotLoadedProps {
	readonly url: string;
	readonly downloadUrl: string;
	/** True if the file has already been loaded again. */
	readonly isSecond: boolean;
	/** Loads the file again. */
	again(): void;
}

/**
 * Why the browser could not load an image or a recording: the app can't serve the file at the moment or, if it can, the browser can't show
 * it. The file is loaded again when the app can serve it after a refusal. It is also loaded again, once, if the app can serve it at the
 * first check, because a single request may have failed.
 */
export function NotLoaded({ url, downloadUrl, isSecond, again }: NotLoadedProps) {
	const { answer, problem } = useAnswer((signal) => checkReadable(url, signal), url);
	const wasRefused = useRef(false);
	useEffect(() => {
		if (problem !== undefined) wasRefused.current = true;
		else if (wasRefused.current || (answer !== undefined && !isSecond)) again();
	}, [problem, answer, isSecond, again]);
	if (problem !== undefined) return <NoPreview why={fill(words.files.failed, { message: problem })} />;
	if (answer === undefined || !isSecond) return <p className="paper muted">{words.files.loading}</p>;
	return <NoPreview why={words.files.cannotShow} downloadUrl={downloadUrl} />;
}
