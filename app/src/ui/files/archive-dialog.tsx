import { AlertDialog } from "@base-ui/react/alert-dialog";
import { count, fill, words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { visibleName } from "../text/visible-text.ts";
import { downloadPartial, lackingArchive } from "./download-archive.ts";

/** Lists the files that a download of all files would lack, before it starts. */
export function ArchiveDialog() {
	const asked = useStore(lackingArchive);
	const close = () => lackingArchive.set(undefined);
	const { lacks } = words.files;
	return (
		<AlertDialog.Root open={asked !== undefined} onOpenChange={(isOpen) => !isOpen && close()}>
			<AlertDialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<AlertDialog.Backdrop className="scrim" />
				<AlertDialog.Popup className="dialog">
					{asked !== undefined && (
						<div className="dialog-form">
							<AlertDialog.Title className="dialog-title">{lacks.title}</AlertDialog.Title>
							<AlertDialog.Description className="soft">{lacks.say}</AlertDialog.Description>
							<ul className="lacking">
								{asked.lacking.map(({ path, message }) => (
									<li key={path}>
										<span className="wrap strong">{visibleName(path)}</span>{" "}
										<span className="muted small wrap">{visibleName(message)}</span>
									</li>
								))}
							</ul>
							<div className="flex end">
								<AlertDialog.Close className="btn lg">{lacks.cancel}</AlertDialog.Close>
								{asked.files > 0 && (
									<button
										type="button"
										className="btn lg pri"
										onClick={() => {
											downloadPartial(asked.archive);
											close();
										}}
									>
										{fill(lacks.others, { files: count(asked.files, "file") })}
									</button>
								)}
							</div>
						</div>
					)}
				</AlertDialog.Popup>
			</AlertDialog.Portal>
		</AlertDialog.Root>
	);
}
