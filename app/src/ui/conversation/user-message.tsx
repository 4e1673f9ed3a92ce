import { FileCheck, Folder, Paperclip } from "lucide-react";
import { useState } from "react";
import type { TurnDetail } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { originWords } from "../../strings/origin-words.ts";
import { fileName } from "../../text/file-names.ts";
import { Icon } from "../components/icon.tsx";
import { useWhole } from "../rich-text/whole.ts";
import { formatBytes, formatTime } from "../text/format.ts";
import { visibleName, visibleProse } from "../text/visible-text.ts";
import { MessageMenuButton, openOnContext } from "./message-menu-button.tsx";

/** Longer messages are folded, because users come back for the answer. */
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 1500;

/** The user's message, as typed. */
export function UserMessage({ detail }: { readonly detail: TurnDetail }) {
	const { turn, request } = detail;
	const required = request.contract.required;
	const folder = request.workingDirectory ?? request.remoteWorkingDirectoryHint;
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: the same menu has a button
		<div className="me" onContextMenu={(event) => openOnContext(event, { detail })}>
			<PromptText text={request.prompt} />
			<MessageMenuButton of={{ detail }} />
			<div className="me-f">
				<span>{formatTime(turn.createdAt)}</span>
				{request.origin && <span>{visibleName(originWords(request.origin))}</span>}
				{(required.length > 0 || request.contract.requiresExport) && (
					<span>
						<Icon of={FileCheck} small /> {words.thread.required}
						{required.length === 0 ? (
							words.thread.requiredAny
						) : (
							<code>
								{required.map(({ glob, minCount }) => (minCount > 1 ? `${visibleName(glob)} ${minCount}` : visibleName(glob))).join(", ")}
							</code>
						)}
					</span>
				)}
				{folder !== undefined && (
					<span className="me-folder" title={visibleName(folder)}>
						<Icon of={Folder} small /> <span className="vh">{words.thread.folder}</span>
						{visibleName(lastPart(folder))}
						{request.worktree && ` (${words.composer.worktree})`}
					</span>
				)}
				{request.attachments.map(({ name, sizeBytes }) => (
					<span key={name}>
						<Icon of={Paperclip} small /> <span className="file-name">{fileName(name)}</span> {formatBytes(sizeBytes)}
					</span>
				))}
			</div>
		</div>
	);
}

/** The text of a message. A long text is folded. */
export function PromptText({ text }: { readonly text: string }) {
	const [isWhole, setWhole] = useState(false);
	const isUnfolded = useWhole();
	const beginning = beginningOf(text);
	return (
		<>
			<p className="pre" dir="auto">
				{visibleProse(isWhole || isUnfolded ? text : beginning)}
			</p>
			{beginning !== text && (
				<button type="button" className="btn quiet me-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
					{isWhole ? words.thread.less : words.thread.whole}
				</button>
			)}
		</>
	);
}

/** The last segment of a folder's path. */
function lastPart(path: string): string {
	return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}

/** A long message's text before its first block of code, or its first lines. A short message is returned whole. */
function beginningOf(prompt: string): string {
	const lines = prompt.trimEnd().split("\n");
	if (lines.length <= SHOWN_LINES && prompt.length <= SHOWN_CHARACTERS) return prompt;
	const fence = lines.findIndex((line) => line.startsWith("```"));
	const shown = fence > 0 && fence <= SHOWN_LINES ? lines.slice(0, fence) : lines.slice(0, SHOWN_LINES);
	return `${shown.join("\n").trimEnd().slice(0, SHOWN_CHARACTERS)} …`;
}
