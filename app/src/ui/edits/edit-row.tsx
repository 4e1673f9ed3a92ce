import type { Edit, EditDiff, RunId, ThreadId } from "@xworkmate/contracts";
import { ChevronRight } from "lucide-react";
import { useEffect, useId, useState } from "react";
import {
	editAppliedMarks,
	editAppliedWords,
	editHindranceWords,
	editOutsideMarks,
	editOutsideWords,
	editStatusWords,
	changesWords as words,
} from "../../strings/files/changes-words.ts";
import { fill, words as pageWords } from "../../strings/interface.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { EditorButton } from "../files/editor-button.tsx";
import { useApp } from "../state/app-context.tsx";
import { visibleName } from "../text/visible-text.ts";
import { patchLines } from "./patch-lines.ts";

interface EditRowProps {
	readonly edit: Edit;
	readonly which: { readonly threadId: ThreadId; readonly runId?: RunId };
	/** Identifies the state of the files that the list was made from. */
	readonly seen: string;
	/** When the list was read. The diff is read with each list: what a file is compared with depends on the user's folder too. */
	readonly asOf: string | undefined;
	readonly isChosen: boolean;
	choose(isChosen: boolean): void;
}

/** A changed file with a checkbox to select it, and its diff below once it is opened. */
export function EditRow({ edit, which, seen, asOf, isChosen, choose }: EditRowProps) {
	const [isOpen, setOpen] = useState(false);
	const id = useId();
	const { path, status, addedLines, removedLines, binary, link, executable, hindrance, outside, committed, applied } = edit;
	const name = visibleName(path);
	// A bridge that this app didn't start may be on another computer, and so may the files.
	const isHere = useApp().app.bridge.own;
	return (
		<li className="diffbox edit">
			<header>
				<input
					type="checkbox"
					checked={isChosen}
					disabled={hindrance !== undefined}
					aria-label={fill(words.choose, { path: name })}
					onChange={(event) => choose(event.target.checked)}
				/>
				<button type="button" className="edit-name" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
					<Icon of={ChevronRight} small />
					<code className="wrap">{name}</code>
					<span className="muted small">{editStatusWords[status]}</span>
					{binary && <span className="muted small">{words.binary}</span>}
					{link && <span className="muted small">{words.link}</span>}
					{executable !== undefined && <span className="muted small">{executable ? words.executable : words.notExecutable}</span>}
					{addedLines !== undefined && addedLines > 0 && <span className="plus small">+{addedLines}</span>}
					{removedLines !== undefined && removedLines > 0 && <span className="minus small">−{removedLines}</span>}
					{outside !== undefined && <span className="muted small">{editOutsideMarks[outside]}</span>}
					{applied !== undefined && <span className="muted small">{editAppliedMarks[applied]}</span>}
				</button>
				{isHere && status !== "deleted" && !link && <EditorButton name={name} open={() => callApp("openEdit", { ...which, path })} />}
				<CopyButton text={path} label={fill(words.copyPath, { path: name })} />
			</header>
			<div id={id} hidden={!isOpen}>
				{hindrance !== undefined && <p className="muted opt-say">{editHindranceWords[hindrance]}</p>}
				{applied !== undefined && <p className="muted opt-say">{editAppliedWords[applied]}</p>}
				{committed && <p className="muted opt-say">{(applied ?? hindrance) === undefined ? words.isCommitted : words.isCommittedToo}</p>}
				{outside !== undefined && <p className="muted opt-say">{editOutsideWords[outside]}</p>}
				{isOpen && hindrance === undefined && <Patch key={`${seen} ${JSON.stringify(edit)}`} {...{ which, edit, asOf }} />}
			</div>
		</li>
	);
}

/** The diff of a file. An earlier one stays until it is read again, unless the list shows that the file has changed. */
function Patch({ which, edit, asOf }: Pick<EditRowProps, "which" | "edit" | "asOf">) {
	const { threadId, runId } = which;
	const [{ diff, problem }, setRead] = useState<{ readonly diff?: EditDiff; readonly problem?: string }>({});
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again with each list
	useEffect(() => {
		let isStale = false;
		callApp("readEdit", { threadId, ...(runId !== undefined && { runId }), path: edit.path }).then(
			(found) => !isStale && setRead({ diff: found }),
			(error: unknown) => !isStale && setRead({ problem: sayError(error) }),
		);
		return () => {
			isStale = true;
		};
	}, [threadId, runId, edit.path, asOf]);
	if (problem !== undefined) return <p className="st st-bad opt-say wrap">{problem}</p>;
	if (diff === undefined) return <p className="muted opt-say">{words.loading}</p>;
	if (diff.text === "") return <p className="muted opt-say">{diff.file.binary ? words.binary : words.noText[diff.file.status]}</p>;
	return (
		<>
			<PatchText path={edit.path} text={diff.text} />
			{diff.truncated && <p className="muted opt-say">{words.truncated}</p>}
		</>
	);
}

const signs = { same: " ", added: "+", removed: "−", place: "" } as const;
const names = { same: "l", added: "l a", removed: "l d", place: "l p" } as const;

/** A unified diff, line by line. The sign of a line carries the same meaning as its color. */
function PatchText({ path, text }: { readonly path: string; readonly text: string }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a horizontally scrolling block must be scrollable by keyboard
		<section className="diff" aria-label={fill(pageWords.thread.changesTo, { path: visibleName(path) })} tabIndex={0}>
			{patchLines(text).map(({ kind, text: line, before, after }, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text don't move
				<div className={names[kind]} key={at}>
					<span>{before}</span>
					<span>{after}</span>
					<span>{signs[kind]}</span>
					<span>{visibleName(line.replaceAll("\t", "    "))}</span>
				</div>
			))}
		</section>
	);
}
