import {
	Ban,
	Check,
	CircleCheck,
	CircleDashed,
	File,
	FileQuestionMark,
	ListChecks,
	type LucideIcon,
	OctagonX,
	RotateCcw,
	Route as RouteIcon,
	Unplug,
	X,
} from "lucide-react";
import type { ReactNode } from "react";
import type { ThreadFile } from "../../api/ui-api.ts";
import { type ActionId, actionWords, type OutcomeTone } from "../../strings/codes.ts";
import { fill, words } from "../../strings/interface.ts";
import { rejectionWords } from "../../strings/runs/states.ts";
import { exactFileName, fileName } from "../../text/file-names.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { FileSeal, fileIcon } from "../files/file-row.tsx";
import { WorkedIn } from "../files/worked-in.tsx";
import { CauseFold } from "../rich-text/cause-fold.tsx";
import { Clamped } from "../rich-text/clamped.tsx";
import { InlineCode } from "../rich-text/inline-code.tsx";
import { useWhole } from "../rich-text/whole.ts";
import { formatBytes } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import type { Outcome } from "../turn/outcome.ts";

const badges: Readonly<Record<OutcomeTone, LucideIcon>> = {
	...{ ok: CircleCheck, bad: OctagonX, miss: FileQuestionMark },
	...{ unk: Unplug, off: Ban, mixed: ListChecks },
};
const SHOWN_FILES = 8;

interface OutcomeCardProps {
	readonly outcome: Outcome;
	/** The run's files as they are in the folder now. */
	readonly files: readonly ThreadFile[];
	/** How many files the run has, if the app does not list them all. */
	readonly fileCount?: number;
	act(action: ActionId): void;
	openFile(relativePath: string): void;
	/** Everything that the agent said, for copying. */
	readonly answer?: string;
	/** What the run did through tools. */
	readonly activity?: ReactNode;
	/** Files that the run's files replaced. */
	readonly setAside?: ReactNode;
	/** Further buttons, after the outcome's own. */
	readonly more?: ReactNode;
}

/** How a run ended: a quiet line if it only produced an answer, otherwise a card. */
export function OutcomeCard(props: OutcomeCardProps) {
	const { outcome, files } = props;
	const isQuiet = outcome.quiet === true && files.length === 0 && outcome.rejected.length === 0;
	return isQuiet ? <QuietEnd {...props} /> : <EndCard {...props} />;
}

/** A single line. Its actions appear on hover or keyboard focus, and on devices without a mouse they are always visible. */
function QuietEnd({ outcome: { tone, title, facts, actions }, act, answer, more }: OutcomeCardProps) {
	return (
		<section className="done-line" aria-label={title} data-outcome={tone}>
			<span className="num">{[title, ...facts].join(" · ")}</span>
			<span className="done-acts">
				{answer !== undefined && <CopyButton text={answer} label={words.outcome.copy} />}
				{actions.map((action) => (
					<button
						type="button"
						key={action}
						className="ib"
						aria-label={actionWords[action]}
						title={actionWords[action]}
						onClick={() => act(action)}
					>
						<Icon of={action === "retry" ? RotateCcw : RouteIcon} small />
					</button>
				))}
				{more}
			</span>
		</section>
	);
}

/**
 * In this order: the title, a sentence, what happened to the files, the folder that the run worked in, the fix, the cause, the facts and
 * the code, the activity, the required files, what is known, the files, and the actions.
 */
function EndCard({ outcome, files, fileCount, act, openFile, activity, setAside, more }: OutcomeCardProps) {
	const { tone, title, say, left, workedIn, cause, command, facts, code, fix, required, extra, known, rejected, rejectedCount, actions } =
		outcome;
	return (
		<section className={`out rise ${tone}`} aria-label={title} data-outcome={tone}>
			<header>
				<span className="badge">
					<Icon of={badges[tone]} />
				</span>
				<div className="grow">
					<h2>{title}</h2>
					{say !== undefined && (
						<p className="say">
							<InlineCode text={say} />
						</p>
					)}
					{left !== undefined && <p className="say">{left}</p>}
					{workedIn !== undefined && <WorkedIn folder={workedIn} />}
					{fix !== undefined && (
						<p className="say">
							{words.outcome.fix}: <InlineCode text={fix} />
						</p>
					)}
					{cause !== undefined && <CauseFold text={cause} />}
					<p className="facts">
						{facts.map((fact) => (
							<span className="num" key={fact}>
								<Clamped text={fact} />
							</span>
						))}
						{code !== undefined && <span className="code-chip">{code}</span>}
					</p>
				</div>
			</header>
			{activity}
			{required !== undefined && <RequiredList required={required} extra={extra ?? []} />}
			{known !== undefined && <KnownList {...known} />}
			{files.length > 0 && required === undefined && <GotList files={files} fileCount={fileCount} openFile={openFile} />}
			{setAside !== undefined && <div className="body">{setAside}</div>}
			{rejected.length > 0 && <RejectedList rejected={rejected} rejectedCount={rejectedCount} />}
			{(actions.length > 0 || more !== undefined) && (
				<footer>
					{command !== undefined && <CopyButton text={command} label={fill(words.copy.commandOf, { command })} word={words.copy.command} />}
					{actions.map((action, index) => (
						<button type="button" key={action} className={`btn ${index === 0 && tone !== "ok" ? "pri" : ""}`} onClick={() => act(action)}>
							{actionWords[action]}
						</button>
					))}
					{more}
				</footer>
			)}
		</section>
	);
}

function RequiredList({ required, extra }: Required<Pick<Outcome, "required" | "extra">>) {
	const shown = useShown(extra);
	return (
		<div className="body">
			<ul className="req" aria-label={words.outcome.requiredFiles}>
				{required.map(({ glob, minCount, matched }) => {
					const isThere = matched.length >= minCount;
					return (
						<li key={glob} className={isThere ? "" : "lacks"}>
							<Icon of={isThere ? Check : X} small />
							<code className="cut">{visibleName(glob)}</code>
							<span className="num">{fill(words.outcome.ofCount, { there: matched.length, all: minCount })}</span>
							{matched.length === 0 && <span className="muted cut">{words.outcome.nothingMatched}</span>}
							{matched.length > 0 && <span className="muted cut names">{matched.map(visibleName).join(", ")}</span>}
						</li>
					);
				})}
				{shown.map((path) => (
					<li key={path} className="muted">
						<Icon of={File} small />
						<code className="cut">{exactFileName(path)}</code>
						<span>{words.outcome.extra}</span>
						<span className="cut">{words.outcome.extraSay}</span>
					</li>
				))}
				{extra.length > shown.length && (
					<li className="muted">
						<Icon of={File} small />
						<span>{fill(words.outcome.more, { count: extra.length - shown.length })}</span>
					</li>
				)}
			</ul>
		</div>
	);
}

function KnownList({ known, unknown }: NonNullable<Outcome["known"]>) {
	const list = (title: string, lines: readonly string[], icon: LucideIcon) => (
		<div>
			<h3>{title}</h3>
			<ul>
				{lines.map((line) => (
					<li key={line}>
						<Icon of={icon} small />
						<span>{line}</span>
					</li>
				))}
			</ul>
		</div>
	);
	return (
		<div className="body">
			<div className="know">
				{list(words.outcome.known, known, Check)}
				{list(words.outcome.notKnown, unknown, CircleDashed)}
			</div>
		</div>
	);
}

/** The first of these files, or all of them while folded content is shown in full. */
function useShown<T>(files: readonly T[]): readonly T[] {
	return useWhole() ? files : files.slice(0, SHOWN_FILES);
}

function MoreFiles({ count }: { readonly count: number }) {
	return count > 0 && <li className="muted">{fill(words.outcome.more, { count })}</li>;
}

type GotListProps = Pick<OutcomeCardProps, "files" | "openFile"> & { readonly fileCount: number | undefined };

function GotList({ files, fileCount = 0, openFile }: GotListProps) {
	const shown = useShown(files);
	return (
		<div className="body">
			<ul className="got" aria-label={words.outcome.filesOf}>
				{shown.map((file) => (
					<li key={file.relativePath}>
						<Icon of={fileIcon(file.mediaType, file.relativePath)} small />
						<button type="button" className="link cut" onClick={() => openFile(file.relativePath)}>
							{fileName(file.relativePath)}
						</button>
						<span className="num">{formatSize(file)}</span>
						<FileSeal file={file} />
					</li>
				))}
				<MoreFiles count={Math.max(fileCount, files.length) - shown.length} />
			</ul>
		</div>
	);
}

/** A file's size in the folder or, if it is not there, as delivered. */
function formatSize({ sizeNow, sizeBytes }: ThreadFile): string {
	const size = sizeNow ?? sizeBytes;
	return size === undefined ? "" : formatBytes(size);
}

function RejectedList({ rejected, rejectedCount }: Pick<Outcome, "rejected" | "rejectedCount">) {
	const shown = useShown(rejected);
	return (
		<div className="body">
			<p className="muted small">{words.outcome.rejected}</p>
			<ul className="got">
				{shown.map(({ path, reason }) => (
					<li key={path}>
						<Icon of={Ban} small />
						<code className="cut">{exactFileName(path)}</code>
						<span className="num">{rejectionWords[reason]}</span>
					</li>
				))}
				<MoreFiles count={rejectedCount - shown.length} />
			</ul>
		</div>
	);
}
