import { ArrowLeft, ChevronLeft, ChevronRight, Download, X } from "lucide-react";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import type { RunFiles, ThreadFile } from "../../api/ui-api.ts";
import { fileRoute } from "../../api/ui-routes.ts";
import { isOnDisk, isReadable } from "../../files/file-state.ts";
import { fill, words } from "../../strings/interface.ts";
import { menuWords } from "../../strings/menu-words.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { fileNames } from "../text/file-names.ts";
import { previewKind } from "../text/preview-kind.ts";
import { pathFromReport } from "../text/report-image.ts";
import { FileSeal, fileIcon } from "./file-row.tsx";
import { NoPreview, PreviewBody } from "./preview-body.tsx";

interface FilePreviewProps {
	readonly threadId: string;
	readonly run: RunFiles;
	readonly file: ThreadFile;
	/** Undefined at the end of the list. */
	readonly next: (() => void) | undefined;
	readonly previous: (() => void) | undefined;
	/** The thread's folder on the app's computer. */
	readonly folder?: string | undefined;
	close(): void;
}

/** A preview of one file. A file from an agent is displayed, never executed. */
export function FilePreview({ threadId, run, file, next, previous, folder, close }: FilePreviewProps) {
	const { runId } = run;
	const kind = previewKind(file);
	const [isSource, setSource] = useState(false);
	const name = fileNames(run.files.map(({ relativePath }) => relativePath))(file.relativePath);
	const url = shownUrl(threadId, runId, file);
	const downloadUrl = fileRoute(threadId, runId, file.relativePath, "download");
	const hasSource = kind === "markdown" || kind === "csv" || kind === "html";
	const isHere = isReadable(file);
	const imageUrl = useCallback(
		(source: string) => {
			const path = pathFromReport(file.relativePath, source);
			const image = run.files.find(({ relativePath }) => relativePath === path);
			if (image === undefined || previewKind(image) !== "image" || !isReadable(image)) return undefined;
			return shownUrl(threadId, runId, image);
		},
		[threadId, runId, run.files, file.relativePath],
	);
	const onKeyDown = (event: KeyboardEvent) => {
		const step = event.key === "ArrowRight" ? next : event.key === "ArrowLeft" ? previous : undefined;
		if (step === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		if (event.target instanceof Element && usesArrows(event.target)) return;
		event.preventDefault();
		step();
	};
	const section = useRef<HTMLElement>(null);
	useEffect(() => {
		// When the user moves between files by keyboard, the focused element is removed, so the focus has to be moved too.
		if (document.activeElement === document.body) section.current?.focus();
	}, []);
	return (
		<section ref={section} className="prev" tabIndex={-1} aria-label={fill(words.files.previewOf, { name })} onKeyDown={onKeyDown}>
			<header className="bar">
				<button type="button" className="ib back" aria-label={words.files.back} onClick={close}>
					<Icon of={ArrowLeft} />
				</button>
				<Icon of={fileIcon(file.mediaType, file.relativePath)} small />
				<div className="ttl">
					<span className="strong cut">{name}</span>
					<FileSeal state={file.state} />
				</div>
				<span className="grow" />
				<span className="hide-n">
					<button
						type="button"
						className="ib"
						disabled={!previous}
						aria-label={words.files.previous}
						title={words.files.previous}
						onClick={previous}
					>
						<Icon of={ChevronLeft} />
					</button>
					<button type="button" className="ib" disabled={!next} aria-label={words.files.next} title={words.files.next} onClick={next}>
						<Icon of={ChevronRight} />
					</button>
				</span>
				{hasSource && isHere && (
					<fieldset className="seg" aria-label={words.files.view}>
						<button type="button" aria-pressed={!isSource} onClick={() => setSource(false)}>
							{words.files.reading}
						</button>
						<button type="button" aria-pressed={isSource} onClick={() => setSource(true)}>
							{words.files.source}
						</button>
					</fieldset>
				)}
				{folder !== undefined && isOnDisk(file) && (
					<CopyButton text={`${folder}/${file.relativePath}`} label={fill(menuWords.copyPath, { name })} />
				)}
				{isHere && (
					<a className="ib" href={downloadUrl} download aria-label={fill(words.files.download, { name })}>
						<Icon of={Download} />
					</a>
				)}
				<button type="button" className="ib hide-n" aria-label={words.files.closePreview} onClick={close}>
					<Icon of={X} />
				</button>
			</header>
			{isHere ? (
				<PreviewBody
					kind={isSource ? "text" : kind}
					relativePath={file.relativePath}
					size={file.sizeNow ?? file.sizeBytes ?? 0}
					{...{ url, downloadUrl, name, imageUrl }}
				/>
			) : (
				<NoPreview why={words.files.notHere} />
			)}
		</section>
	);
}

/** Different bytes get a different address, so that the preview loads them again. */
function shownUrl(threadId: string, runId: string, { relativePath, editedAt }: ThreadFile): string {
	const version = editedAt === undefined ? "" : `?v=${encodeURIComponent(editedAt)}`;
	return `${fileRoute(threadId, runId, relativePath, "inline")}${version}`;
}

/** True for an element that uses the arrow keys itself: a player, a field, or one that scrolls horizontally. */
function usesArrows(target: Element): boolean {
	if (target.matches("audio, video, input, textarea, select")) return true;
	for (let at: Element | null = target; at !== null && !at.matches(".prev"); at = at.parentElement) {
		if (at.scrollWidth > at.clientWidth && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
	}
	return false;
}
