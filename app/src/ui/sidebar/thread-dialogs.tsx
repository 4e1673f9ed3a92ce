import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useState } from "react";
import type { ThreadDeletionView } from "../../api/app-api.ts";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { count, fill, words } from "../../strings/interface.ts";
import { removalWords } from "../../strings/threads/removal-words.ts";
import { deletedFolders, deletedParts, keptRuns } from "../../text/files/deletion-words.ts";
import { callApp } from "../connection/call-app.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { remove, rename } from "../state/thread-actions.ts";
import { visibleName } from "../text/visible-text.ts";
import { isSettledStatus } from "../turn/settled.ts";
import { UsageOfThread } from "../usage/usage-dialog.tsx";
import { askedDialog } from "./asked-dialog.ts";
import { TagsForm } from "./tags-form.tsx";

/** The dialogs about a thread: its title, tags, usage and deletion. They close if the thread is deleted in another window. */
export function ThreadDialogs() {
	const wish = useStore(askedDialog);
	const { threads } = useApp().app;
	const thread = threads.find(({ threadId }) => threadId === wish?.threadId);
	const open = wish && thread && { what: wish.what, thread };
	const close = () => askedDialog.set(undefined);
	return (
		<>
			<Dialog.Root open={open?.what === "rename"} onOpenChange={(isOpen) => !isOpen && close()}>
				<Dialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
					<Dialog.Backdrop className="scrim" />
					<Dialog.Popup className="dialog">{open?.what === "rename" && <RenameForm thread={open.thread} close={close} />}</Dialog.Popup>
				</Dialog.Portal>
			</Dialog.Root>
			<Dialog.Root open={open?.what === "tags"} onOpenChange={(isOpen) => !isOpen && close()}>
				<Dialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
					<Dialog.Backdrop className="scrim" />
					<Dialog.Popup className="dialog">{open?.what === "tags" && <TagsForm thread={open.thread} close={close} />}</Dialog.Popup>
				</Dialog.Portal>
			</Dialog.Root>
			<Dialog.Root open={open?.what === "usage"} onOpenChange={(isOpen) => !isOpen && close()}>
				<Dialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
					<Dialog.Backdrop className="scrim" />
					<Dialog.Popup className="dialog wide">{open?.what === "usage" && <UsageOfThread thread={open.thread} />}</Dialog.Popup>
				</Dialog.Portal>
			</Dialog.Root>
			<AlertDialog.Root open={open?.what === "delete"} onOpenChange={(isOpen) => !isOpen && close()}>
				<AlertDialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
					<AlertDialog.Backdrop className="scrim" />
					<AlertDialog.Popup className="dialog">
						{open?.what === "delete" && <DeleteQuestion thread={open.thread} close={close} />}
					</AlertDialog.Popup>
				</AlertDialog.Portal>
			</AlertDialog.Root>
		</>
	);
}

interface FormProps {
	readonly thread: ThreadSummary;
	close(): void;
}

function RenameForm({ thread, close }: FormProps) {
	/** Undefined until the user edits the title: until then, the field follows a title that another window gives. */
	const [typed, setTyped] = useState<string>();
	const title = typed ?? thread.title;
	const save = async () => {
		if (await rename(thread.threadId, title.trim())) close();
	};
	return (
		<form
			className="dialog-form"
			onSubmit={(event) => {
				event.preventDefault();
				void save();
			}}
		>
			<Dialog.Title className="dialog-title">{words.menu.rename}</Dialog.Title>
			<label className="field">
				<span className="muted small">{words.rename.label}</span>
				<input maxLength={200} value={title} onChange={(event) => setTyped(event.target.value)} />
			</label>
			<div className="flex end">
				<Dialog.Close className="btn lg">{words.rename.cancel}</Dialog.Close>
				<button className="btn lg pri" type="submit" disabled={title.trim() === ""}>
					{words.rename.save}
				</button>
			</div>
		</form>
	);
}

function DeleteQuestion({ thread, close }: FormProps) {
	const [isBusy, setBusy] = useState(false);
	const found = useDeletion(thread);
	const { files, more } = found?.folder ?? { files: thread.artifactCount };
	const what = deletedParts(found?.runs ?? thread.turnCount, files, more);
	const isPending = thread.pendingTurnId !== undefined;
	// Saving files can't be stopped, so the user has to wait until it is done.
	const isSaving = thread.lastTurn !== undefined && isSettledStatus(thread.lastTurn.status);
	return (
		<div className="dialog-form">
			<AlertDialog.Title className="dialog-title">{fill(removalWords.title, { title: visibleName(thread.title) })}</AlertDialog.Title>
			<AlertDialog.Description className="soft">{fill(removalWords.say, { what })}</AlertDialog.Description>
			{found === undefined ? (
				<p className="soft">{removalWords.loading}</p>
			) : (
				[...deletedFolders(found.atBridge, visibleName), ...keptRuns(found, visibleName)].map((line) => (
					<p key={line} className="soft wrap">
						{line}
					</p>
				))
			)}
			{thread.queuedCount > 0 && (
				<p className="soft">{fill(removalWords.waiting, { count: count(thread.queuedCount, "unsent message") })}</p>
			)}
			{thread.hasDraft && <p className="soft">{removalWords.draft}</p>}
			{isPending && <p className="st st-need">{isSaving ? removalWords.saving : removalWords.busy}</p>}
			<div className="flex end">
				<AlertDialog.Close className="btn lg">{removalWords.cancel}</AlertDialog.Close>
				<button
					className="btn lg danger"
					type="button"
					disabled={isBusy || isPending || found === undefined}
					onClick={() => {
						setBusy(true);
						void remove(thread).then(close);
					}}
				>
					{removalWords.confirm}
				</button>
			</div>
		</div>
	);
}

/**
 * What is deleted with the thread; undefined until that is known. Read again whenever a run begins or ends or files are saved, because the
 * dialog may be open then, and the user must not confirm outdated counts. If the app doesn't answer, the dialog says that it is unknown
 * what else is deleted.
 */
function useDeletion({
	threadId,
	turnCount,
	artifactCount,
	pendingTurnId,
	lastTurn,
}: ThreadSummary): Partial<ThreadDeletionView> | undefined {
	const counted = JSON.stringify([threadId, turnCount, artifactCount, pendingTurnId, lastTurn?.status]);
	const [found, setFound] = useState<{ readonly counted: string; readonly view: Partial<ThreadDeletionView> }>();
	useEffect(() => {
		let isStale = false;
		const set = (view: Partial<ThreadDeletionView>) => !isStale && setFound({ counted, view });
		callApp("threadDeletion", { threadId }).then(set, () => set({}));
		return () => {
			isStale = true;
		};
	}, [threadId, counted]);
	return found?.counted === counted ? found.view : undefined;
}
