import type { EditList, MethodResult, RunId, ThreadId } from "@xworkmate/contracts";
import { useId, useState } from "react";
import { changesWords as words } from "../../strings/files/changes-words.ts";
import { fill } from "../../strings/interface.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { callApp } from "../connection/call-app.ts";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { visibleName } from "../text/visible-text.ts";
import { sayBeginning, sayFiles } from "./say-files.ts";

/** How many files are named. */
const NAMED = 5;

interface EditActionsProps {
	readonly list: EditList;
	readonly which: { readonly threadId: ThreadId; readonly runId?: RunId };
	readonly chosen: readonly string[];
	/** True while a run of the thread is active, because nothing may be written then. */
	readonly isBusy: boolean;
	/** Called when files may have been written. */
	done(): void;
}

/** The actions for the selected files, below the list and always visible. */
export function EditActions({ list, which, chosen, isBusy, done }: EditActionsProps) {
	const [asked, setAsked] = useState<"discard" | "commit">();
	const [message, setMessage] = useState("");
	const field = useId();
	const { threadId, runId } = which;
	const { seen, place, branch = "" } = list;
	const folder = visibleName(list.checkout);
	const paths = [...chosen];
	// An action may be refused because the list is out of date, so the list is read again in any case.
	const act = (doing: () => Promise<void>) => attempt(doing).finally(done);
	const apply = () =>
		void act(async () => {
			const { applied } = await callApp("applyEdits", { threadId, seen, paths });
			say(fill(words.applied, { files: sayFiles(applied.length), folder }));
		});
	const discard = () =>
		act(async () => {
			const { discarded } = await callApp("discardEdits", { ...which, seen, paths });
			say(fill(words.discarded, { files: sayFiles(discarded.length) }));
		});
	const commit = () =>
		act(async () => {
			const made = await callApp("commitEdits", { threadId, seen, message });
			setMessage("");
			say(committedWords(made));
		});
	const kept = list.files
		.filter(({ path, outside }) => outside !== undefined && chosen.includes(path))
		.map(({ path }) => visibleName(path));
	const ofAllRuns = place === "worktree" ? words.discardWorktree : fill(words.discardAll, { at: sayBeginning(list) });
	const consequence = runId === undefined ? ofAllRuns : words.discardRun;
	// On another branch, the files may be committed there.
	const uncommitted = list.elsewhere === undefined ? (list.uncommitted ?? 0) : 0;
	const isCommitted = list.uncommitted === 0;
	const isIdle = isBusy || chosen.length === 0;
	return (
		<footer className="sticky-foot">
			{isBusy && <p className="muted grow">{words.busy}</p>}
			{!isBusy && isCommitted && <p className="muted grow">{words.commitNothing}</p>}
			{!isBusy && uncommitted > 0 && <p className="muted grow">{fill(words.uncommitted, { files: sayFiles(uncommitted) })}</p>}
			{place === "worktree" && runId === undefined && (
				<>
					<button type="button" className="btn pri" disabled={isIdle} title={fill(words.applySay, { folder })} onClick={apply}>
						{words.apply}
					</button>
					<button type="button" className="btn" disabled={isBusy || isCommitted} onClick={() => setAsked("commit")}>
						{words.commit}
					</button>
				</>
			)}
			<button type="button" className="btn" disabled={isIdle} onClick={() => setAsked("discard")}>
				{words.discard}
			</button>
			<ConfirmDialog
				isOpen={asked === "discard"}
				title={fill(words.discardTitle, { files: sayFiles(chosen.length) })}
				say={kept.length === 0 ? consequence : fill(words.discardNot, { files: namedFirst(kept) })}
				cancel={words.cancel}
				{...(kept.length === 0 && { word: words.discardYes })}
				isDanger
				confirm={discard}
				close={() => setAsked(undefined)}
			/>
			<ConfirmDialog
				isOpen={asked === "commit"}
				title={fill(words.commitTitle, { branch: visibleName(branch) })}
				say={words.commitSay}
				cancel={words.cancel}
				{...(message.trim() !== "" && { word: words.commitYes })}
				confirm={commit}
				close={() => setAsked(undefined)}
			>
				<label htmlFor={field}>{words.commitMessage}</label>
				<input id={field} className="field" value={message} maxLength={10_000} onChange={(event) => setMessage(event.target.value)} />
			</ConfirmDialog>
		</footer>
	);
}

function namedFirst(paths: readonly string[]): string {
	const files = paths.slice(0, NAMED).join(", ");
	return paths.length > NAMED ? fill(words.discardNotMore, { files, count: paths.length - NAMED }) : files;
}

function committedWords({ commit: id, branch: name, files, author }: MethodResult<"xworkmate.edits.commit">): string {
	const [commit, branch] = [id.slice(0, 12), visibleName(name)];
	const committed =
		files === undefined
			? fill(words.committed, { commit, branch })
			: fill(words.committedFiles, { commit, branch, files: sayFiles(files) });
	if (author === undefined) return committed;
	const by = { name: visibleName(author.name), email: visibleName(author.email) };
	return fill(author.configured ? words.committedBy : words.committedUnnamed, { committed, ...by });
}
