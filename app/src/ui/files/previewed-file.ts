import { useCallback } from "react";
import type { ThreadFile } from "../../api/ui-api.ts";
import { fileRoute } from "../../api/ui-routes.ts";
import { isReadable } from "../../files/file-state.ts";
import { fileNames } from "../../text/file-names.ts";
import type { ImageUrl } from "../rich-text/markdown.tsx";
import { previewKind } from "../text/preview-kind.ts";
import { pathFromReport } from "../text/report-image.ts";
import type { FilePlace } from "./file-order.ts";

/** What a preview needs to know about a file. */
interface PreviewedFile {
	readonly relativePath: string;
	/** The name as shown. Unusual spaces in it are written out if another file name of the run would look the same. */
	readonly name: string;
	/** Size in bytes. */
	readonly size: number;
	readonly url: string;
	readonly downloadUrl: string;
	/** The address of an image that a report names, if it is a file of the same run. */
	readonly imageUrl: ImageUrl;
}

export function usePreviewedFile(threadId: string, { run, file }: FilePlace): PreviewedFile {
	const { runId, files } = run;
	const { relativePath } = file;
	const imageUrl = useCallback(
		(source: string) => {
			const path = pathFromReport(relativePath, source);
			const image = files.find((one) => one.relativePath === path);
			if (image === undefined || previewKind(image) !== "image" || !isReadable(image)) return undefined;
			return shownUrl(threadId, runId, image);
		},
		[threadId, runId, files, relativePath],
	);
	return {
		relativePath,
		name: fileNames(files.map((one) => one.relativePath))(relativePath),
		size: file.sizeNow ?? file.sizeBytes ?? 0,
		url: shownUrl(threadId, runId, file),
		downloadUrl: fileRoute(threadId, runId, relativePath, "download"),
		imageUrl,
	};
}

/** Different bytes have different addresses, so that the preview loads the file again. */
function shownUrl(threadId: string, runId: string, { relativePath, editedAt }: ThreadFile): string {
	const version = editedAt === undefined ? "" : `?v=${encodeURIComponent(editedAt)}`;
	return `${fileRoute(threadId, runId, relativePath, "inline")}${version}`;
}
