import { count, fill, words } from "../../strings/interface.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { useStore } from "../connection/store.ts";
import { visibleName } from "../text/visible-text.ts";
import { downloadPartial, lackingArchive } from "./download-archive.ts";

/** Before a download of all files starts, lists those that would be missing. */
export function ArchiveDialog() {
	const asked = useStore(lackingArchive);
	const { lacks } = words.files;
	return (
		<ConfirmDialog
			isOpen={asked !== undefined}
			title={lacks.title}
			say={lacks.say}
			cancel={lacks.cancel}
			{...(asked !== undefined && asked.files > 0 && { word: fill(lacks.others, { files: count(asked.files, "file") }) })}
			confirm={() => asked && downloadPartial(asked.archive)}
			close={() => lackingArchive.set(undefined)}
		>
			<ul className="lacking">
				{asked?.lacking.map(({ path, message }) => (
					<li key={path}>
						<span className="wrap strong">{visibleName(path)}</span> <span className="muted small wrap">{visibleName(message)}</span>
					</li>
				))}
			</ul>
		</ConfirmDialog>
	);
}
