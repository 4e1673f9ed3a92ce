import { useEffect, useRef } from "react";
import { fill, words } from "../../strings/interface.ts";
import { checkReadable } from "../connection/check-readable.ts";
import { useAnswer } from "../state/use-answer.ts";
import { NoPreview } from "./no-preview.tsx";

interface NotLoadedProps {
	readonly url: string;
	readonly downloadUrl: string;
	/** True if the file was loaded again before. */
	readonly isSecond: boolean;
	/** Loads the file again. */
	again(): void;
}

/**
 * Why the browser could not load an image or a recording: the app can't serve the file at the moment or, if it can, the browser can't show
 * it. Once a file can be served that could not be, it is loaded again. So is, once, a file that can be served at the first check, because a
 * single request may have failed.
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
