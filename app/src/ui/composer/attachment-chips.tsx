import { FileWarning, X } from "lucide-react";
import { useEffect, useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { fileName } from "../../text/file-names.ts";
import { Icon } from "../components/icon.tsx";
import { fileIcon } from "../files/file-row.tsx";
import { formatBytes } from "../text/format.ts";
import type { Attached, AttachmentBounds } from "./attached.ts";
import type { Attachments } from "./attachments.ts";

interface AttachmentChipsProps {
	readonly files: Attachments;
	readonly bounds: AttachmentBounds;
}

/** The attached files, each with its kind and size and, if it cannot be sent, the reason. */
export function AttachmentChips({ files: { attached, totalBytes, isOver, drop }, bounds }: AttachmentChipsProps) {
	if (attached.length === 0) return null;
	return (
		<>
			<ul className="chips" aria-label={words.composer.attachedLabel}>
				{attached.map((one) => (
					<Chip key={one.key} one={one} bounds={bounds} drop={drop} />
				))}
			</ul>
			{attached.map(
				({ key, problem, kept }) =>
					kept === "failed" && (
						<p key={key} className="st st-bad small wrap chips-say" role="alert">
							{fill(words.composer.notKept, { why: problem ?? "" })}
						</p>
					),
			)}
			{isOver && (
				<p className="st st-bad small wrap chips-say" role="alert">
					{fill(words.composer.overMessage, { bytes: formatBytes(totalBytes), bound: formatBytes(bounds.messageBytes) })}
				</p>
			)}
		</>
	);
}

function Chip({ one, bounds, drop }: { readonly one: Attached; readonly bounds: AttachmentBounds; drop(key: string): void }) {
	const name = fileName(one.name);
	const isBad = one.state !== "ready" && one.state !== "hashing";
	const picture = usePicture(one);
	return (
		<li className={`att ${isBad ? "bad" : ""}`} data-attached={one.state}>
			{picture === undefined ? (
				<Icon of={isBad ? FileWarning : fileIcon(one.mediaType)} small />
			) : (
				<img className="att-picture" src={picture} alt="" />
			)}
			<div>
				<div className="cut" title={`${name}, ${one.mediaType}`}>
					{name}
				</div>
				<small className="num" title={one.sha256 === undefined ? undefined : `SHA-256 ${one.sha256}`}>
					{[`${kindOf(one)}, ${formatBytes(one.sizeBytes)}`, ...stateOf(one, bounds)].join(isBad ? ". " : ", ")}
				</small>
			</div>
			<button type="button" className="ib" aria-label={fill(words.composer.remove, { name })} onClick={() => drop(one.key)}>
				<Icon of={X} small />
			</button>
		</li>
	);
}

/**
 * The type of a file in one word: the extension of its name, such as "PDF", or otherwise the second part of its media type, such as
 * "plain". The whole media type is in the tooltip.
 */
function kindOf({ name, mediaType }: Attached): string {
	const [, ending] = /\.([A-Za-z0-9]{1,5})$/.exec(name) ?? [];
	const kind = mediaType.slice(mediaType.indexOf("/") + 1);
	return ending?.toUpperCase() ?? (kind === "octet-stream" ? words.composer.file : kind);
}

/** A file's state in words. Empty for a new file that is ready, because that is what users expect. */
function stateOf({ state, sha256, source }: Attached, { fileBytes }: AttachmentBounds): readonly string[] {
	switch (state) {
		case "too_large":
			return [fill(words.composer.tooLarge, { bound: formatBytes(fileBytes) })];
		case "bad_name":
			return [words.composer.badName];
		case "unreadable":
			return [words.composer.unreadable];
		default:
			if (source !== undefined && "again" in source) return [words.composer.attachedBefore];
			return sha256 === undefined ? [words.composer.hashing] : [];
	}
}

/** An object URL for an image, valid as long as its chip exists. SVG is excluded: it is a document, not an image. */
function usePicture({ source, mediaType }: Attached): string | undefined {
	const file = source !== undefined && "file" in source && /^image\/(png|jpeg|gif|webp)$/.test(mediaType) ? source.file : undefined;
	const [address, setAddress] = useState<string>();
	useEffect(() => {
		if (file === undefined) return setAddress(undefined);
		const made = URL.createObjectURL(file);
		setAddress(made);
		return () => URL.revokeObjectURL(made);
	}, [file]);
	return address;
}
