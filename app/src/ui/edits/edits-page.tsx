import type { Edit, EditList, RunId, ThreadId } from "@xworkmate/contracts";
import { RotateCcw } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { editsUntilWords, changesWords as words } from "../../strings/files/changes-words.ts";
import { fill } from "../../strings/interface.ts";
import { notCompared } from "../../text/files/not-compared.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { useRequest } from "../keys/keys.ts";
import { useApp } from "../state/app-context.tsx";
import { go, hrefOf } from "../state/route.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { isSettledStatus } from "../turn/settled.ts";
import { EditActions } from "./edit-actions.tsx";
import { EditRow } from "./edit-row.tsx";
import { sayBeginning, sayFiles } from "./say-files.ts";

interface EditsPageProps {
	readonly threadId: ThreadId;
	readonly runId?: RunId;
}

/** What a thread changed in a git repository, in total or by one run. */
export default function EditsPage({ threadId, runId }: EditsPageProps) {
	const { app } = useApp();
	const thread = app.threads.find((one) => one.threadId === threadId);
	const isUnderWay = thread?.lifecycleStatus === "running" || thread?.lifecycleStatus === "queued";
	// Nothing changes in the repository while the files of a run that has ended are being saved to the thread's folder.
	const isBusy = isUnderWay && !(thread.lastTurn !== undefined && isSettledStatus(thread.lastTurn.status));
	const { list, asOf, problem, read } = useEdits(threadId, runId, JSON.stringify(thread?.lastTurn));
	/** The files that the user selected (true) or left out (false). */
	const [marks, setMarks] = useState<ReadonlyMap<string, boolean>>(new Map());
	const paths = list?.files.map(({ path }) => path);
	// A file that returns to the list, such as one that the user undid in the folder, is selected only if it would be selected unasked.
	if (paths !== undefined && [...marks.keys()].some((path) => !paths.includes(path)))
		setMarks(new Map([...marks].filter(([path]) => paths.includes(path))));
	const leave = useCallback(() => go({ page: "thread", threadId }), [threadId]);
	useRequest("close", leave);
	const which = { threadId, ...(runId !== undefined && { runId }) };
	const choosable = list?.files.filter(({ hindrance }) => hindrance === undefined) ?? [];
	// Only the list of all runs in a worktree offers more than discarding, which is refused for files that something else changed too. The
	// user may have undone on purpose what they had applied.
	const canApply = list?.place === "worktree" && runId === undefined;
	const preselects = ({ outside, applied }: Edit) => (canApply ? applied : outside) === undefined;
	const chosen = choosable.filter((edit) => marks.get(edit.path) ?? preselects(edit)).map(({ path }) => path);
	return (
		<main className="main" tabIndex={-1}>
			<PageBar
				title={words.title}
				say={visibleName(thread?.title ?? "")}
				back={{ href: hrefOf({ page: "thread", threadId }), label: words.back }}
			>
				<button type="button" className="btn quiet" onClick={read}>
					<Icon of={RotateCcw} />
					<span className="vh-n">{words.refresh}</span>
				</button>
			</PageBar>
			<div className="scroll">
				<div className="page wide edits">
					<ReadState isRead={list !== undefined} {...{ problem, words, read }} />
					{list !== undefined && (
						<>
							<Where list={list} isOfOneRun={runId !== undefined} />
							<p className="soft wrap">{notCompared(list, visibleName)}</p>
							{asOf !== undefined && <p className="muted">{fill(words.asOf, { time: formatTime(asOf) })}</p>}
							<RunPicker list={list} {...which} />
							{list.unfinished !== undefined && (
								<p className="note bad" role="alert">
									{fill(words.unfinished[list.unfinished.failed ? "failed" : (list.unfinished.why ?? "unknown")], {
										files: list.unfinished.files.map(visibleName).join(", "),
									})}
								</p>
							)}
							{list.total === 0 && <p className="muted">{noneWords(list, runId !== undefined)}</p>}
							{list.total > 0 && (
								<label className="edit-all">
									<input
										type="checkbox"
										checked={chosen.length === choosable.length && choosable.length > 0}
										disabled={choosable.length === 0}
										onChange={(event) => setMarks(new Map(choosable.map(({ path }) => [path, event.target.checked])))}
									/>
									{words.chooseAll}
									<span className="muted">{fill(words.counted, { files: sayFiles(list.total) })}</span>
									<span className="muted">{fill(words.chosen, { count: chosen.length })}</span>
								</label>
							)}
							<ul className="edit-list" aria-label={words.files}>
								{list.files.map((edit) => (
									<EditRow
										key={edit.path}
										{...{ edit, which, seen: list.seen, asOf }}
										isChosen={chosen.includes(edit.path)}
										choose={(isChosen) => setMarks(new Map(marks).set(edit.path, isChosen))}
									/>
								))}
							</ul>
							{list.total > list.files.length && <p className="muted">{fill(words.shownOf, { count: list.files.length })}</p>}
						</>
					)}
				</div>
			</div>
			{list !== undefined && list.total + (list.uncommitted ?? 0) > 0 && <EditActions {...{ list, which, chosen, isBusy, done: read }} />}
		</main>
	);
}

function Where({ list, isOfOneRun }: { readonly list: EditList; readonly isOfOneRun: boolean }) {
	const folder = visibleName(list.checkout);
	// Earlier bridges don't send it.
	const { until = "end" } = list;
	const when = editsUntilWords[until];
	if (list.place === "worktree") {
		const parts = [placeWords(list), fill(words.folderStays, { folder }), ...(isOfOneRun ? [fill(words.inWorktreeRun, { when })] : [])];
		return <p className="soft wrap">{parts.join(" ")}</p>;
	}
	if (!isOfOneRun) return <p className="soft wrap">{fill(words.inFolder, { folder, at: sayBeginning(list) })}</p>;
	// If the run's end is not known, nothing is discarded.
	const parts = [fill(words.inFolderRun, { folder, when }), ...(until === "end" || until === "still" ? [words.runDiscard] : [])];
	return <p className="soft wrap">{parts.join(" ")}</p>;
}

function noneWords({ place, until }: EditList, isOfOneRun: boolean): string {
	if (isOfOneRun) return until === "still" ? words.noneStill : words.none;
	return place === "worktree" ? words.noneUnapplied : words.none;
}

function placeWords({ branch: own = "", elsewhere }: EditList): string {
	const branch = visibleName(own);
	if (elsewhere === undefined) return fill(words.inWorktree, { branch });
	if (elsewhere.branch === undefined) return fill(words.onNoBranch, { branch });
	return fill(words.elsewhere, { on: visibleName(elsewhere.branch), branch });
}

function RunPicker({ list: { runs }, threadId, runId }: EditsPageProps & { readonly list: EditList }) {
	if (runs.length < 2 && runId === undefined) return null;
	return (
		<label className="edit-run">
			{words.ofRun}
			<select
				className="sel"
				value={runId ?? ""}
				onChange={({ target: { value } }) => go({ page: "changes", threadId, ...(value !== "" && { runId: value as RunId }) })}
			>
				<option value="">{words.allRuns}</option>
				{runs.map((run, at) => (
					<option key={run.runId} value={run.runId}>
						{fill(words.oneRun, { number: at + 1, time: formatTime(run.at) })}
					</option>
				))}
			</select>
		</label>
	);
}

/**
 * Reads the list, and reads it again when a run of the thread begins or ends, or when the app responds again. The earlier list stays until
 * the new one arrives.
 */
function useEdits(threadId: ThreadId, runId: RunId | undefined, mark: string | undefined) {
	const { state } = useApp();
	const [got, setGot] = useState<{ readonly list?: EditList; readonly asOf?: string; readonly problem?: string }>({});
	/** The number of the newest read. The results of earlier ones are dropped. */
	const current = useRef(0);
	const read = useCallback(() => {
		current.current += 1;
		const own = current.current;
		// Changes made while the files are being compared may be missing, so the result is dated from before the comparison.
		const asOf = new Date().toISOString();
		callApp("listEdits", { threadId, ...(runId !== undefined && { runId }) }).then(
			(list) => own === current.current && setGot({ list, asOf }),
			(error: unknown) => own === current.current && setGot((before) => ({ ...before, problem: sayError(error) })),
		);
	}, [threadId, runId]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again with each change to the thread's last run
	useEffect(() => {
		if (state === "live") read();
	}, [read, state, mark]);
	return { ...got, read };
}
