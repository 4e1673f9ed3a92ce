import { ArrowLeft, FolderInput, FolderOpen, RotateCcw, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { RunFiles, ThreadDetail } from "../../api/ui-api.ts";
import { fileRoute } from "../../api/ui-routes.ts";
import { isReadable } from "../../files/file-state.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { rejectionWords } from "../../strings/runs/states.ts";
import { fileNames } from "../../text/file-names.ts";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import type { ThreadReader } from "../follow/thread-reader.ts";
import type { OpenFile } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { sayNow } from "../state/toasts.ts";
import { distinctTimes } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { fetchedWords } from "../turn/fetched-words.ts";
import { matchRequired } from "../turn/required-files.ts";
import { savedWord } from "../turn/saved-word.ts";
import { asOfWords } from "../turn/tool-line.ts";
import { ArchiveMenu } from "./archive-menu.tsx";
import { EnlargedFile } from "./enlarged-file.tsx";
import { type FilePlace, isEnlargeable, orderFiles, walkFiles } from "./file-order.ts";
import { FilePreview } from "./file-preview.tsx";
import { FileRow, RejectedRow, useFilesAsOf } from "./file-row.tsx";
import { PanelEdge } from "./panel-edge.tsx";
import { SetAsideList } from "./set-aside-list.tsx";
import { WorkedIn } from "./worked-in.tsx";

interface FilesPanelProps {
	readonly reader: ThreadReader;
	readonly file?: OpenFile;
	open(file: OpenFile | undefined): void;
	close(): void;
}

/** The delivered files by run, each with its current state, and a preview of one file. */
export function FilesPanel({ reader, file, open, close }: FilesPanelProps) {
	const { files, filesProblem, detail } = useStore(reader.open);
	const { threadId } = reader;
	const run = files?.runs.find(({ runId }) => runId === file?.runId);
	const shown = run?.files.find(({ relativePath }) => relativePath === file?.relativePath);
	const isArchived = detail?.thread.lifecycleStatus === "archived";
	const walk = useMemo(() => walkFiles(files?.runs ?? [], (one) => askedOf(one, detail)), [files, detail]);
	const show = ({ run, file }: FilePlace) => open({ runId: run.runId, relativePath: file.relativePath });
	const step = (by: number) => {
		const to = walk[walk.findIndex((one) => one.file === shown) + by];
		return to === undefined ? undefined : () => show(to);
	};
	const [isEnlarged, setEnlarged] = useState(false);
	const large = walk.filter((one) => isEnlargeable(one.file));
	const at = large.findIndex((one) => one.file === shown);
	const place = large[at];
	const panel = useRef<HTMLElement>(null);
	useEffect(() => {
		if (place === undefined) setEnlarged(false);
	}, [place]);
	useEffect(() => {
		if (!isEnlarged) return;
		// The focus is moved, because the button that enlarged the first file is gone once another file is shown.
		return () => panel.current?.querySelector<HTMLElement>(".enlarge, .zoom")?.focus();
	}, [isEnlarged]);
	const timeOf = distinctTimes(files?.runs.map(({ createdAt }) => createdAt) ?? [], Date.now());
	// The current state of the files is read when the panel opens.
	useEffect(() => void reader.readFiles(), [reader]);
	return (
		<aside ref={panel} className="panel" data-n={shown === undefined ? "list" : "prev"} aria-label={words.files.label}>
			<PanelEdge />
			<header className="bar">
				<button type="button" className="ib back" aria-label={words.files.backThread} onClick={close}>
					<Icon of={ArrowLeft} />
				</button>
				<h2 className="panel-title cut">{words.files.label}</h2>
				<span className="grow" />
				{files?.runs.some(({ workedIn }) => workedIn === undefined) && (
					<button
						type="button"
						className="btn quiet"
						title={words.files.openFolder}
						onClick={() => void attempt(() => callApp("openFolder", { threadId }))}
					>
						<Icon of={FolderOpen} />
						<span className="vh-n vh-p">{words.files.openFolder}</span>
					</button>
				)}
				{files?.runs.some((run) => !isUnsaved(run) && run.files.some(isReadable)) && <ArchiveMenu threadId={threadId} />}
				<button
					type="button"
					className="ib"
					aria-label={words.files.again}
					title={words.files.again}
					onClick={() => void reader.readFiles()}
				>
					<Icon of={RotateCcw} />
				</button>
				<button type="button" className="ib hide-n" aria-label={words.files.close} title={words.files.close} onClick={close}>
					<Icon of={X} />
				</button>
			</header>
			<div className={`fl ${shown === undefined ? "" : "fl-short"}`}>
				{filesProblem !== undefined && <p className="sec st st-bad wrap">{filesProblem}</p>}
				{files === undefined && filesProblem === undefined && <p className="sec muted">{words.files.looking}</p>}
				{files?.runs.length === 0 && (
					<div className="sec">
						<h3>{words.files.none}</h3>
						<p className="muted">{words.files.noneSay}</p>
						<code className="wrap small">{visibleName(files.folder)}</code>
					</div>
				)}
				{files?.runs.some(isFetchable) && isArchived && (
					<div className="sec">
						<p>{words.files.someMissingArchived}</p>
					</div>
				)}
				{files?.runs.some(isFetchable) && !isArchived && detail?.thread.pendingTurnId === undefined && (
					<div className="sec">
						<p>{words.files.someMissing}</p>
						<button
							type="button"
							className="btn"
							onClick={() =>
								void attempt(async () => sayNow(threadId, fetchedWords(await callApp("sync", { threadId, leaveEdits: true }))))
							}
						>
							<Icon of={FolderInput} />
							{words.files.fetchMissing}
						</button>
					</div>
				)}
				{files?.runs.map((one) => (
					<RunSection
						key={one.runId}
						reader={reader}
						run={one}
						when={timeOf(one.createdAt)}
						alone={files.runs.length === 1}
						{...(file && { file })}
						open={open}
					/>
				))}
			</div>
			{shown !== undefined && file !== undefined && run !== undefined && (
				<FilePreview
					key={JSON.stringify(file)}
					threadId={threadId}
					run={run}
					file={shown}
					next={step(1)}
					previous={step(-1)}
					folder={files?.folder}
					isEnlarged={isEnlarged}
					enlarge={() => setEnlarged(true)}
					close={() => open(undefined)}
				/>
			)}
			{isEnlarged && place !== undefined && (
				<EnlargedFile {...{ threadId, at, place, show }} places={large} close={() => setEnlarged(false)} />
			)}
		</aside>
	);
}

/** True if the folder lacks a file that the bridge may still have. A saved file beyond the 200 listed ones is fetched by its path. */
function isFetchable({ files }: RunFiles): boolean {
	return files.some(({ state }) => state === "missing");
}

/** True if the run did not succeed, so that its files are not among the thread's files and have their own archive. */
function isUnsaved({ files }: RunFiles): boolean {
	return files.some(({ state }) => state === "unsaved");
}

/** The files of a run that its message requires. */
function askedOf(run: RunFiles, detail: ThreadDetail | undefined): ReadonlySet<string> {
	const required = detail?.turns.find(({ turn }) => turn.turnId === run.turnId)?.request.contract.required ?? [];
	const paths = run.files.map(({ relativePath }) => relativePath);
	return new Set(matchRequired(required, paths).states.flatMap(({ matched }) => matched));
}

interface RunSectionProps extends Pick<FilesPanelProps, "reader" | "file" | "open"> {
	readonly run: RunFiles;
	/** The run's time, precise enough to differ from that of every other listed run. */
	readonly when: string;
	/** True if no other run is listed. */
	readonly alone: boolean;
}

function RunSection({ reader, run, when, alone, file, open }: RunSectionProps) {
	const { detail } = useStore(reader.open);
	const asked = useMemo(() => askedOf(run, detail), [run, detail]);
	const listed = useMemo(() => orderFiles(run.files, asked), [run.files, asked]);
	const nameOf = useMemo(() => fileNames(run.files.map(({ relativePath }) => relativePath)), [run.files]);
	const status = run.current ? detail?.thread.lastArtifactSyncStatus : run.syncStatus;
	const saved = savedWord(run, status);
	const asOf = useFilesAsOf();
	return (
		<section className="sec" aria-label={run.current ? words.files.thisRun : fill(words.files.earlier, { time: when })}>
			<header>
				<h3>{run.current ? words.files.thisRun : fill(words.files.earlier, { time: when })}</h3>
				<span className="muted num">
					{run.current ? `${when}, ` : ""}
					{count(run.count, "file")}
				</span>
				<span className="grow" />
				{saved !== undefined && <span className="muted small">{asOf === undefined ? saved : asOfWords(saved, asOf)}</span>}
				{(!alone || isUnsaved(run)) && run.files.some(isReadable) && (
					<ArchiveMenu threadId={reader.threadId} run={{ runId: run.runId, time: when }} />
				)}
			</header>
			{run.workedIn !== undefined && (
				<>
					<p className="muted">{words.outcome.noneCollected}</p>
					<WorkedIn folder={run.workedIn} />
				</>
			)}
			<ul className="files">
				{listed.map((one) => (
					<FileRow
						key={one.relativePath}
						file={one}
						name={nameOf(one.relativePath)}
						required={asked.has(one.relativePath)}
						current={file?.runId === run.runId && file.relativePath === one.relativePath}
						downloadUrl={fileRoute(reader.threadId, run.runId, one.relativePath, "download")}
						open={() => open({ runId: run.runId, relativePath: one.relativePath })}
					/>
				))}
				{run.rejected.map(({ path, reason }) => (
					<RejectedRow key={path} path={path} reason={rejectionWords[reason]} />
				))}
			</ul>
			{run.setAside !== undefined && <SetAsideList threadId={reader.threadId} runId={run.runId} files={run.setAside} />}
			{run.files.length < run.count && (
				<p className="muted small">{fill(words.files.listed, { listed: run.files.length, all: run.count })}</p>
			)}
			{run.rejected.length < run.rejectedCount && (
				<p className="muted small">{fill(words.files.rejectedListed, { listed: run.rejected.length, all: run.rejectedCount })}</p>
			)}
		</section>
	);
}
