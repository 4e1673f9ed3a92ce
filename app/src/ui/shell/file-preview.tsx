import { ArrowLeft, Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ThreadFile } from "../../core/ui-api.ts";
import { fileRoute } from "../../core/ui-routes.ts";
import { formatBytes } from "../model/format.ts";
import { visibleName } from "../model/visible-text.ts";
import { FileSeal, fileIcon, isReadable } from "../parts/file-row.tsx";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";

const TextPreview = lazy(() => import("./text-preview.tsx"));

type PreviewKind = "markdown" | "csv" | "html" | "text" | "image" | "pdf" | "audio" | "video" | "none";

const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon)$/;
const TEXT = /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript|x-sh|sql)$/;

function previewKind({ mediaType, relativePath }: Pick<ThreadFile, "mediaType" | "relativePath">): PreviewKind {
	if (mediaType === "text/markdown" || /\.(?:md|markdown)$/i.test(relativePath)) return "markdown";
	if (mediaType === "text/csv" || mediaType === "text/tab-separated-values") return "csv";
	if (mediaType === "text/html") return "html";
	if (IMAGE.test(mediaType)) return "image";
	if (mediaType === "application/pdf") return "pdf";
	if (mediaType.startsWith("audio/")) return "audio";
	if (mediaType.startsWith("video/")) return "video";
	return TEXT.test(mediaType) || /\.(?:txt|log|ts|tsx|js|py|sh|rs|go|toml|ya?ml|ini|cfg)$/i.test(relativePath) ? "text" : "none";
}

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
	const hasSource = kind === "markdown" || kind === "csv" || kind === "html";
	const isHere = isReadable(file);
	return (
		<section className="prev" aria-label={fill(words.files.previewOf, { name })}>
			<header className="bar">
				<button type="button" className="ib back" aria-label={words.files.back} onClick={close}>
					<Icon of={ArrowLeft} />
				</button>
				<Icon of={fileIcon(file.mediaType)} small />
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
					<a
						className="ib"
						href={fileRoute(threadId, runId, file.relativePath, "download")}
						download
						aria-label={fill(words.files.download, { name })}
					>
						<Icon of={Download} />
					</a>
				)}
			</header>
			{isHere ? (
				<PreviewBody kind={isSource ? "text" : kind} url={url} name={name} size={file.sizeNow ?? file.sizeBytes ?? 0} />
			) : (
				<p className="paper muted">{words.files.noPreview}</p>
			)}
		</section>
	);
}

interface PreviewBodyProps {
	readonly kind: PreviewKind;
	readonly url: string;
	readonly name: string;
	readonly size: number;
}

/** Text beyond this is cut; a table of more would make the page stand still. */
const TEXT_BYTES = 2 * 1024 * 1024;

function PreviewBody({ kind, url, name, size }: PreviewBodyProps) {
	const label = fill(words.files.previewOf, { name });
	switch (kind) {
		case "image":
			return (
				<div className="checker">
					<figure>
						<img className="preview-image" src={url} alt={name} />
					</figure>
				</div>
			);
		case "html":
			return (
				<>
					<p className="muted small sandbox-say">{words.files.sandboxed}</p>
					<iframe className="preview-frame" title={label} src={url} sandbox="" referrerPolicy="no-referrer" />
				</>
			);
		case "pdf":
			return <iframe className="preview-frame" title={label} src={url} referrerPolicy="no-referrer" />;
		case "audio":
			// biome-ignore lint/a11y/useMediaCaption: a file of an agent has no captions to give
			return <audio className="preview-media" controls src={url} aria-label={label} />;
		case "video":
			// biome-ignore lint/a11y/useMediaCaption: a file of an agent has no captions to give
			return <video className="preview-media" controls src={url} aria-label={label} />;
		case "none":
			return <p className="paper muted">{words.files.noPreview}</p>;
		default:
			if (size > TEXT_BYTES) return <p className="paper muted">{fill(words.files.tooLarge, { bytes: formatBytes(size) })}</p>;
			return (
				<Suspense fallback={<p className="paper muted">{words.files.loading}</p>}>
					<TextPreview kind={kind} url={url} label={label} />
				</Suspense>
			);
	}
}
