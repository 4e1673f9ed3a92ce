import { fill, words } from "../../strings/interface.ts";
import { checkReadable } from "../connection/check-readable.ts";
import { useAnswer } from "../state/use-answer.ts";
import { NoPreview } from "./no-preview.tsx";

interface FramedFileProps {
	/** The file's address. For another file, this has to be another instance: it asks about one address only. */
	readonly url: string;
	readonly label: string;
	/** Configures the browser's viewer; not sent to the app. */
	readonly fragment?: string;
	/** True for a page that an agent wrote. A PDF is shown by the browser's own viewer, which does not work in a sandbox. */
	readonly isSandboxed: boolean;
}

/** A file that the browser shows in a frame, once the app can serve it: a frame would show the app's refusal as it is sent, as JSON. */
export function FramedFile({ url, label, fragment = "", isSandboxed }: FramedFileProps) {
	const { answer, problem } = useAnswer((signal) => checkReadable(url, signal), url);
	if (problem !== undefined) return <NoPreview why={fill(words.files.failed, { message: problem })} />;
	if (answer === undefined) return <p className="paper muted">{words.files.loading}</p>;
	return (
		<iframe
			className="preview-frame"
			title={label}
			src={`${url}${fragment}`}
			{...(isSandboxed && { sandbox: "" })}
			referrerPolicy="no-referrer"
		/>
	);
}
