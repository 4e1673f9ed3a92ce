import type { ThreadId } from "@xworkmate/contracts";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useState } from "react";
import { count } from "../../strings/interface.ts";
import { mentionWords } from "../../strings/threads/mention-words.ts";
import { fileName } from "../../text/file-names.ts";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { rankEntries } from "../text/rank-entries.ts";
import { type Mention, mentionAt, withMention } from "./mention-at.ts";

interface MentionParts {
	readonly field: RefObject<HTMLTextAreaElement | null>;
	readonly prompt: string;
	setPrompt(prompt: string): void;
	readonly threadId: ThreadId | undefined;
	/** The project folder that the message's run works in. */
	readonly folder: string | undefined;
}

const SHOWN = 8;

/**
 * Typing `@` in the message offers the files of the thread and of its project folder. Choosing a file inserts its name and attaches
 * nothing.
 */
export function useMention({ field, prompt, setPrompt, threadId, folder }: MentionParts) {
	const { announce } = useApp();
	const [mention, setMention] = useState<Mention>();
	const [closedAt, setClosedAt] = useState<number>();
	const [at, setAt] = useState(0);
	const [paths, setPaths] = useState<readonly string[]>([]);
	const list = useId();
	const isTyped = mention !== undefined && mention.from !== closedAt;
	useEffect(() => {
		if (!isTyped) return;
		let isLeft = false;
		// If the call fails, there is nothing to offer, and the text stays as typed.
		callApp("mentionableFiles", { ...(threadId && { threadId }), ...(folder !== undefined && { folder }) }).then(
			(found) => !isLeft && setPaths(found),
			() => !isLeft && setPaths([]),
		);
		return () => {
			isLeft = true;
		};
	}, [isTyped, threadId, folder]);
	const entries = useMemo(() => paths.map((path) => ({ path, text: path })), [paths]);
	const offered = useMemo(() => (isTyped ? rankEntries(mention.text, entries).slice(0, SHOWN) : []), [isTyped, mention, entries]);
	const isOpen = offered.length > 0;
	const current = Math.min(at, offered.length - 1);
	useEffect(() => {
		if (isOpen) announce(count(offered.length, "file"));
	}, [isOpen, offered.length, announce]);
	const look = () => {
		const { current: text } = field;
		if (text === null) return;
		const next = text.selectionStart === text.selectionEnd ? mentionAt(text.value, text.selectionStart) : undefined;
		setMention(next);
		if (next?.text !== mention?.text) setAt(0);
		if (next === undefined) setClosedAt(undefined);
	};
	const choose = (path: string) => {
		if (mention === undefined) return;
		const written = withMention(prompt, mention, path);
		setPrompt(written.prompt);
		setMention(undefined);
		requestAnimationFrame(() => {
			field.current?.focus();
			field.current?.setSelectionRange(written.caret, written.caret);
		});
	};
	/** Returns true if the list has handled the key. */
	const onKey = (event: KeyboardEvent): boolean => {
		if (!isOpen || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
		const chosen = offered[current];
		if (event.key === "ArrowDown") setAt((current + 1) % offered.length);
		else if (event.key === "ArrowUp") setAt((current + offered.length - 1) % offered.length);
		else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) choose(chosen.path);
		else if (event.key === "Escape") setClosedAt(mention?.from);
		else return false;
		event.preventDefault();
		event.stopPropagation();
		return true;
	};
	const shown: ReactNode = isOpen && (
		<div className="pop mentions" role="listbox" id={list} aria-label={mentionWords.label}>
			{offered.map(({ path }, index) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the field, which keeps the focus
				<div
					key={path}
					id={`${list}-${index}`}
					role="option"
					tabIndex={-1}
					aria-selected={index === current}
					className="palette-line"
					onMouseDown={(event) => event.preventDefault()}
					onPointerMove={() => setAt(index)}
					onClick={() => choose(path)}
				>
					<span className="cut">{fileName(path)}</span>
				</div>
			))}
		</div>
	);
	const aria = isOpen
		? ({ "aria-autocomplete": "list", "aria-controls": list, "aria-activedescendant": `${list}-${current}` } as const)
		: {};
	return { shown, aria, look, onKey, close: () => setMention(undefined) };
}
