import { ArrowLeft, Download, X } from "lucide-react";
import { useState } from "react";
import type { ThreadFile } from "../../core/ui-api.ts";
import { fileRoute } from "../../core/ui-routes.ts";
import { previewKind } from "../model/preview-kind.ts";
import { visibleName } from "../model/visible-text.ts";
import { FileSeal, fileIcon, isReadable } from "../parts/file-row.tsx";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";
import { NoPreview, PreviewBody } from "./preview-body.tsx";

interface FilePreviewProps {
	readonly threadId: string;
	readonly runId: string;
	readonly file: ThreadFile;
	close(): void;
}

/** One file to look at. What an agent wrote is shown, never run. */
export function FilePreview({ threadId, runId, file, close }: FilePreviewProps) {
	const kind = previewKind(file);
	const [isSource, setSource] = useState(false);
	const name = visibleName(file.relativePath);
	const url = fileRoute(threadId, runId, file.relativePath, "inline");
	const downloadUrl = fileRoute(threadId, runId, file.relativePath, "download");
	const hasSource = kind === "markdown" || kind === "csv" || kind === "html";
	const isHere = isReadable(file);
	return (
		<section className="prev" aria-label={fill(words.files.previewOf, { name })}>
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
					{...{ url, downloadUrl, name }}
				/>
			) : (
				<NoPreview why={words.files.notHere} />
			)}
		</section>
	);
}
