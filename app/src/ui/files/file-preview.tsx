import { ArrowLeft, ChevronLeft, ChevronRight, Download, Maximize2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { RunFiles, ThreadFile } from "../../api/ui-api.ts";
import { isAtItsPath, isReadable } from "../../files/file-state.ts";
import { fill, words } from "../../strings/interface.ts";
import { menuWords } from "../../strings/threads/menu-words.ts";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { previewKind } from "../text/preview-kind.ts";
import { arrowSteps } from "./arrow-steps.ts";
import { EditorButton } from "./editor-button.tsx";
import { isEnlargeable } from "./file-order.ts";
import { FileSeal, fileIcon } from "./file-row.tsx";
import { NoPreview } from "./no-preview.tsx";
import { PreviewBody } from "./preview-body.tsx";
import { usePreviewedFile } from "./previewed-file.ts";

interface FilePreviewProps {
	readonly threadId: string;
	readonly run: RunFiles;
	readonly file: ThreadFile;
	/** Undefined at the end of the list. */
	readonly next: (() => void) | undefined;
	readonly previous: (() => void) | undefined;
	/** The thread's folder on the app's computer. */
	readonly folder?: string | undefined;
	/** True while the file is shown enlarged. The preview then leaves it out, because two players would be heard at once. */
	readonly isEnlarged: boolean;
	/** Shows the file at the window's size. */
	enlarge(): void;
	close(): void;
}

/** A preview of one file. A file from an agent is displayed, never executed. */
export function FilePreview({ threadId, run, file, next, previous, folder, isEnlarged, enlarge, close }: FilePreviewProps) {
	const kind = previewKind(file);
	const [isSource, setSource] = useState(false);
	const previewed = usePreviewedFile(threadId, { run, file });
	const { name, downloadUrl } = previewed;
	const hasSource = kind === "markdown" || kind === "csv" || kind === "html";
	const isHere = isReadable(file);
	const blocked = file.inPlace && words.files.inPlace[file.inPlace];
	const section = useRef<HTMLElement>(null);
	useEffect(() => {
		// When the user moves between files by keyboard, the focused element is removed, so the focus has to be moved too.
		if (document.activeElement === document.body) section.current?.focus();
	}, []);
	return (
		<section
			ref={section}
			className="prev"
			tabIndex={-1}
			aria-label={fill(words.files.previewOf, { name })}
			onKeyDown={arrowSteps(previous, next)}
		>
			<header className="bar">
				<button type="button" className="ib back" aria-label={words.files.back} onClick={close}>
					<Icon of={ArrowLeft} />
				</button>
				<Icon of={fileIcon(file.mediaType, file.relativePath)} small />
				<div className="ttl">
					<span className="strong cut">{name}</span>
					<FileSeal file={file} />
				</div>
				<span className="grow" />
				<span className="steps hide-n">
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
				{kind !== "image" && isEnlargeable(file) && (
					<button
						type="button"
						className="ib enlarge"
						aria-label={fill(words.files.zoom, { name })}
						title={fill(words.files.zoom, { name })}
						onClick={enlarge}
					>
						<Icon of={Maximize2} />
					</button>
				)}
				{folder !== undefined && isAtItsPath(file) && (
					<>
						<EditorButton name={name} open={() => callApp("openInEditor", { threadId, relativePath: file.relativePath })} />
						<CopyButton text={`${folder}/${file.relativePath}`} label={fill(menuWords.copyPath, { name })} />
					</>
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
			{blocked !== undefined && isHere && <p className="muted small sandbox-say">{fill(words.files.copyOfBridge, { what: blocked })}</p>}
			{isEnlarged ? null : isHere ? (
				<PreviewBody kind={isSource ? "text" : kind} {...previewed} enlarge={enlarge} />
			) : (
				<NoPreview why={blocked === undefined ? words.files.notHere : `${blocked}.`} />
			)}
		</section>
	);
}
