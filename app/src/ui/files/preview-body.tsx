import { Suspense, useCallback, useState } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { fill, words } from "../../strings/interface.ts";
import { forgetFailure, OnDemand } from "../on-demand/on-demand.ts";
import { PartFault } from "../on-demand/part-fault.tsx";
import type { ImageUrl } from "../rich-text/markdown.tsx";
import type { PreviewKind } from "../text/preview-kind.ts";
import { FramedFile } from "./framed-file.tsx";
import { ImagePreview } from "./image-preview.tsx";
import { NoPreview } from "./no-preview.tsx";
import { NotLoaded } from "./not-loaded.tsx";

const textPreview = new OnDemand(() => import("./text-preview.tsx").then((module) => module.default));

interface PreviewBodyProps {
	readonly kind: PreviewKind;
	readonly relativePath: string;
	/** The file's name as shown. */
	readonly name: string;
	/** Size in bytes. */
	readonly size: number;
	readonly url: string;
	readonly downloadUrl: string;
	/** Returns the address of an image that a report refers to; undefined for an image that is not shown. */
	readonly imageUrl?: ImageUrl;
	/** Shows the file at the window's size; absent if it is already shown at that size. */
	enlarge?(): void;
}

/** A file's content, displayed according to its kind. A file that cannot be displayed can be downloaded. */
export function PreviewBody({ kind, relativePath, name, size, url, downloadUrl, imageUrl, enlarge }: PreviewBodyProps) {
	const [failedUrl, setFailed] = useState<string>();
	const [reloadedUrl, setReloaded] = useState<string>();
	const again = useCallback(() => {
		setReloaded(url);
		setFailed(undefined);
	}, [url]);
	const label = fill(words.files.previewOf, { name });
	if (size === 0) return <NoPreview why={words.files.empty} downloadUrl={downloadUrl} />;
	if (failedUrl === url) return <NotLoaded {...{ url, downloadUrl, again }} isSecond={reloadedUrl === url} />;
	const onError = () => setFailed(url);
	switch (kind) {
		case "image":
			return <ImagePreview {...{ url, name, onError, ...(enlarge && { enlarge }) }} />;
		case "html":
			return (
				<>
					<p className="muted small sandbox-say">{words.files.sandboxed}</p>
					<FramedFile key={url} url={url} label={label} isSandboxed />
				</>
			);
		case "pdf":
			if (!navigator.pdfViewerEnabled) return <NoPreview why={words.files.noPdf} downloadUrl={downloadUrl} />;
			// The fragment tells the browser's PDF viewer to use the full width and to hide the list of pages.
			return <FramedFile key={url} url={url} label={label} fragment="#navpanes=0&view=FitH" isSandboxed={false} />;
		case "audio":
			// biome-ignore lint/a11y/useMediaCaption: an agent's file comes without captions
			return <audio className="preview-media" controls src={url} aria-label={label} onError={onError} />;
		case "video":
			// biome-ignore lint/a11y/useMediaCaption: an agent's file comes without captions
			return <video className="preview-media" controls playsInline src={url} aria-label={label} onError={onError} />;
		case "none":
			return <NoPreview why={words.files.noPreview} downloadUrl={downloadUrl} />;
		default:
			return (
				<ErrorBoundary FallbackComponent={PreviewFault} onError={forgetFailure} resetKeys={[url]}>
					<Suspense fallback={<p className="paper muted">{words.files.loading}</p>}>
						<textPreview.Part
							label={fill(words.files.contents, { name })}
							{...{ kind, url, relativePath, size, ...(imageUrl && { imageUrl }) }}
							notText={<NoPreview why={words.files.noPreview} {...{ downloadUrl }} />}
						/>
					</Suspense>
				</ErrorBoundary>
			);
	}
}

function PreviewFault(props: FallbackProps) {
	return <PartFault {...props} className="paper part-fault" />;
}
