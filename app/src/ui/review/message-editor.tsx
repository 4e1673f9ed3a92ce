import { useEffect, useId, useRef } from "react";
import { count } from "../../strings/interface.ts";
import { reviewWords as words } from "../../strings/plans/review-words.ts";

interface MessageEditorProps {
	readonly text: string;
	setText(text: string): void;
}

/** An editor for the message. The rules of the message's channel are checked while the user types. */
export function MessageEditor({ text, setText }: MessageEditorProps) {
	const id = useId();
	const field = useRef<HTMLTextAreaElement>(null);
	useEffect(() => field.current?.focus(), []);
	return (
		<div className="editor">
			<label className="vh" htmlFor={id}>
				{words.editor}
			</label>
			<textarea ref={field} id={id} className="in" rows={8} value={text} onChange={(event) => setText(event.target.value)} />
			<footer>
				<span className="num">{count([...text].length, "character")}</span>
			</footer>
		</div>
	);
}
