import { Toast } from "@base-ui/react/toast";
import { useEffect, useState } from "react";
import { useStore } from "../connection/store.ts";
import { forgetUndo, type Undo, undoOnce, undos, untold } from "../state/toasts.ts";
import { keysOf } from "../text/key-names.ts";

/** Short messages shown for eight seconds, with Undo where possible. They are inside the grid of the page, to be above its main part only. */
export function Toasts() {
	return (
		<Toast.Provider timeout={8000} limit={3}>
			<ToastList />
		</Toast.Provider>
	);
}

interface ToastData {
	readonly undo?: Undo;
}

function ToastList() {
	const { toasts: shown, add, close } = Toast.useToastManager<ToastData>();
	const undoable = useStore(undos);
	const waiting = useStore(untold);
	const [current] = useState(() => new Map<string, string>());
	// biome-ignore lint/correctness/useExhaustiveDependencies: each message is shown once, when it comes
	useEffect(() => {
		if (waiting.length === 0) return;
		for (const told of untold.value) {
			const earlier = told.about === undefined ? undefined : current.get(told.about);
			if (earlier !== undefined) close(earlier);
			const { undo } = told;
			const id = add({ title: told.text, ...(undo && { data: { undo }, onClose: () => forgetUndo(undo) }) });
			if (told.about !== undefined) current.set(told.about, id);
		}
		untold.set([]);
	}, [waiting]);
	useEffect(() => {
		// Once an action has been undone, its toast is no longer true, so the toast is closed.
		for (const { id, data, transitionStatus } of shown) {
			if (data?.undo && !undoable.includes(data.undo) && transitionStatus !== "ending") close(id);
		}
	}, [shown, undoable, close]);
	return (
		<Toast.Portal className="toast-area" container={document.getElementById("app") ?? document.body}>
			<Toast.Viewport className="toasts">
				{shown.map((toast) => (
					<Toast.Root key={toast.id} toast={toast} className="toast">
						<Toast.Title className="cut" />
						{toast.data?.undo && <UndoButton undo={toast.data.undo} isNewest={toast.data.undo === undoable.at(-1)} />}
					</Toast.Root>
				))}
			</Toast.Viewport>
		</Toast.Portal>
	);
}

interface UndoButtonProps {
	readonly undo: Undo;
	/** True if the undo shortcut applies to this action. */
	readonly isNewest: boolean;
}

function UndoButton({ undo, isNewest }: UndoButtonProps) {
	return (
		<Toast.Action className="btn" onClick={() => undoOnce(undo)}>
			{undo.word}
			{isNewest && (
				<span className="hide-n" aria-hidden="true">
					<kbd>{keysOf("Mod+Z")}</kbd>
				</span>
			)}
		</Toast.Action>
	);
}
