import { FileWarning, X } from "lucide-react";
import { formatBytes } from "../model/format.ts";
import { visibleName } from "../model/visible-text.ts";
import { fileIcon } from "../parts/file-row.tsx";
import { Icon } from "../parts/icon.tsx";
import { fill, words } from "../words/interface.ts";
import type { Attached } from "./attachments.ts";

interface AttachmentChipsProps {
	readonly attached: readonly Attached[];
	/** Bytes that one file may have. */
	readonly bound: number;
	drop(key: string): void;
}

export function AttachmentChips({ attached, bound, drop }: AttachmentChipsProps) {
	if (attached.length === 0) return null;
	const say = ({ state, sha256 }: Attached) => {
		if (state === "too_large") return fill(words.composer.tooLarge, { bound: formatBytes(bound) });
		return sha256 === undefined ? words.composer.hashing : `${words.composer.hashReady} ${sha256.slice(0, 8)}`;
	};
	return (
		<div className="chips">
			{attached.map((one) => {
				const name = visibleName(one.file.name);
				const isBad = one.state === "too_large";
				return (
					<div className={`att ${isBad ? "bad" : ""}`} key={one.key}>
						<Icon of={isBad ? FileWarning : fileIcon(one.file.type)} small />
						<div>
							<div className="cut">{name}</div>
							<small className="num">
								{formatBytes(one.file.size)}, {say(one)}
							</small>
						</div>
						<button type="button" className="ib" aria-label={fill(words.composer.remove, { name })} onClick={() => drop(one.key)}>
							<Icon of={X} small />
						</button>
					</div>
				);
			})}
		</div>
	);
}
