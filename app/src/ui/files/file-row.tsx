import type { LucideIcon } from "lucide-react";
import {
	Ban,
	CircleDashed,
	Download,
	File,
	FileCode,
	FileText,
	History,
	Image,
	Link2Off,
	Music,
	Pencil,
	ShieldCheck,
	Table,
	Video,
} from "lucide-react";
import { useEffect, useRef } from "react";
import type { FileState, ThreadFile } from "../../api/ui-api.ts";
import { isReadable } from "../../files/file-state.ts";
import { fill, words } from "../../strings/interface.ts";
import { fileWords } from "../../strings/runs/states.ts";
import { exactFileName, fileName } from "../../text/file-names.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { formatBytes, formatTime } from "../text/format.ts";
import { previewKind } from "../text/preview-kind.ts";
import { asOfWords } from "../turn/tool-line.ts";

const stateLooks: Readonly<Record<FileState, { readonly icon: LucideIcon; readonly name: string }>> = {
	checked: { icon: ShieldCheck, name: "seal" },
	edited: { icon: Pencil, name: "st soft small" },
	kept: { icon: History, name: "st soft small" },
	replaced: { icon: History, name: "st soft small" },
	missing: { icon: CircleDashed, name: "st st-miss small" },
	unsaved: { icon: CircleDashed, name: "st soft small" },
	saving: { icon: CircleDashed, name: "st soft small" },
	unlisted: { icon: CircleDashed, name: "st soft small" },
	blocked: { icon: Link2Off, name: "st st-bad small" },
};

/**
 * Shows the state of a file, such as whether it is still identical to what was delivered. The app watches the folder, so while the app is
 * not responding, the state is that of the last contact.
 */
export function FileSeal({ file: { state, inPlace } }: { readonly file: Pick<ThreadFile, "state" | "inPlace"> }) {
	const asOf = useFilesAsOf();
	const { icon, name } = stateLooks[state];
	const { word } = fileWords[state];
	const meaning = inPlace === undefined ? fileWords[state].meaning : words.files.inPlace[inPlace];
	return (
		<span className={asOf === undefined ? name : "st soft small"} title={asOf === undefined ? meaning : asOfWords(meaning, asOf)}>
			<Icon of={icon} />
			{asOf === undefined ? word : asOfWords(word, asOf)}
		</span>
	);
}

/** Says what is in a file's place. */
function InPlace({ what }: { readonly what: string }) {
	const asOf = useFilesAsOf();
	return <span className="wrap">{asOf === undefined ? what : asOfWords(what, asOf)}</span>;
}

/** When the states of files were last known, if the app has stopped responding since. */
export function useFilesAsOf(): string | undefined {
	const { state, heardAt } = useApp();
	return state === "live" ? undefined : heardAt;
}

/** The icon for a kind of file. */
export function fileIcon(mediaType: string, relativePath = ""): LucideIcon {
	if (previewKind({ mediaType, relativePath }) === "text" && !/^text\/plain/.test(mediaType)) return FileCode;
	if (mediaType.startsWith("image/")) return Image;
	if (mediaType.startsWith("audio/")) return Music;
	if (mediaType.startsWith("video/")) return Video;
	if (mediaType === "text/csv") return Table;
	if (mediaType === "text/plain" || mediaType === "text/markdown" || mediaType === "application/pdf") return FileText;
	return mediaType.startsWith("text/") || mediaType.includes("json") || mediaType.includes("script") ? FileCode : File;
}

interface FileRowProps {
	readonly file: ThreadFile;
	/** The file's name as shown. Unusual spaces in it are written out if another name in the list would look the same. */
	readonly name?: string;
	readonly required: boolean;
	readonly current: boolean;
	readonly downloadUrl: string;
	open(): void;
}

export function FileRow({ file, name = fileName(file.relativePath), required, current, downloadUrl, open }: FileRowProps) {
	const size = file.sizeNow ?? file.sizeBytes;
	const row = useRef<HTMLLIElement>(null);
	// Scrolls the open file into view, because the list becomes shorter when a preview opens below it.
	useEffect(() => {
		if (current) row.current?.scrollIntoView({ block: "nearest" });
	}, [current]);
	return (
		<li className="file" aria-current={current ? "true" : undefined} ref={row}>
			<Icon of={fileIcon(file.mediaType, file.relativePath)} className="kind" />
			<button type="button" className="nm cut" title={fill(words.files.preview, { name })} onClick={open} data-file={file.relativePath}>
				{name}
			</button>
			<div className="sub">
				{size !== undefined && <span className="num">{formatBytes(size)}</span>}
				<FileSeal file={file} />
				{file.inPlace !== undefined && <InPlace what={words.files.inPlace[file.inPlace]} />}
				{file.state === "edited" && file.editedAt !== undefined && <span className="num">{formatTime(file.editedAt)}</span>}
				{required && <span>{words.files.required}</span>}
				{current && <span className="wrap">{file.mediaType}</span>}
				{current && file.sha256 !== undefined && file.state !== "edited" && (
					<span className="code-chip" title={file.sha256}>
						{fill(words.files.hash, { begin: file.sha256.slice(0, 12) })}
					</span>
				)}
			</div>
			{isReadable(file) && (
				<div className="end">
					<a className="ib" href={downloadUrl} download aria-label={fill(words.files.download, { name })}>
						<Icon of={Download} />
					</a>
				</div>
			)}
		</li>
	);
}

/** A file that was rejected, with the reason. */
export function RejectedRow({ path, reason }: { readonly path: string; readonly reason: string }) {
	return (
		<li className="file">
			<Icon of={Ban} className="kind" />
			<span className="nm cut">{exactFileName(path)}</span>
			<div className="sub">
				<span className="st st-bad small">{reason}</span>
			</div>
		</li>
	);
}
