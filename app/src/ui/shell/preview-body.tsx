import { Download, FileX2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { PreviewKind } from "../model/preview-kind.ts";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";

const TextPreview = lazy(() => import("./text-preview.tsx"));

interface PreviewBodyProps {
	readonly kind: PreviewKind;
	readonly relativePath: string;
	/** As it is shown. */
	readonly name: string;
	/** Bytes. */
	readonly size: number;
	readonly url: string;
	readonly downloadUrl: string;
}

/** What an agent made, by its kind; what cannot be shown says so and can be downloaded. */
export function PreviewBody({ kind, relativePath, name, size, url, downloadUrl }: PreviewBodyProps) {
	const [isBroken, setBroken] = useState(false);
	const label = fill(words.files.previewOf, { name });
	if (isBroken) return <NoPreview why={words.files.cannotShow} downloadUrl={downloadUrl} />;
	const onError = () => setBroken(true);
	switch (kind) {
		case "image":
			return (
				<div className="checker">
					<figure>
						<img className="preview-image" src={url} alt={name} onError={onError} />
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
			if (!navigator.pdfViewerEnabled) return <NoPreview why={words.files.noPdf} downloadUrl={downloadUrl} />;
			// What stands behind # is for the browser's viewer: as wide as there is room, without its list of pages.
			return <iframe className="preview-frame" title={label} src={`${url}#navpanes=0&view=FitH`} referrerPolicy="no-referrer" />;
		case "audio":
			// biome-ignore lint/a11y/useMediaCaption: a file of an agent has no captions to give
			return <audio className="preview-media" controls src={url} aria-label={label} onError={onError} />;
		case "video":
			// biome-ignore lint/a11y/useMediaCaption: a file of an agent has no captions to give
			return <video className="preview-media" controls playsInline src={url} aria-label={label} onError={onError} />;
		case "none":
			return <NoPreview why={words.files.noPreview} downloadUrl={downloadUrl} />;
		default:
			return (
				<Suspense fallback={<p className="paper muted">{words.files.loading}</p>}>
					<TextPreview
						{...{ kind, url, label, relativePath, size }}
						notText={<NoPreview why={words.files.noPreview} {...{ downloadUrl }} />}
					/>
				</Suspense>
			);
	}
}

export function NoPreview({ why, downloadUrl }: { readonly why: string; readonly downloadUrl?: string }) {
	return (
		<div className="paper no-preview">
			<Icon of={FileX2} />
			<p className="muted">{why}</p>
			{downloadUrl !== undefined && (
				<a className="btn" href={downloadUrl} download>
					<Icon of={Download} />
					{words.files.downloadIt}
				</a>
			)}
		</div>
	);
}
