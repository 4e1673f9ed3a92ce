import { Toast } from "@base-ui/react/toast";
import { keysOf } from "../text/key-names.ts";

/** Short messages shown for eight seconds, with Undo where possible. */
export const toasts = Toast.createToastManager();

interface Undo {
	readonly word: string;
	undo(): void;
}

let lastUndo: (() => void) | undefined;

export function say(text: string, undo?: Undo): void {
	lastUndo = undo?.undo;
	const id = toasts.add({
		title: text,
		...(undo && {
			actionProps: {
				children: (
					<>
						{undo.word}
						<span className="hide-n" aria-hidden="true">
							<kbd>{keysOf("Mod+Z")}</kbd>
						</span>
					</>
				),
				onClick: () => {
					undoLast();
					toasts.close(id);
				},
			},
		}),
	});
}

/** Undoes the action of the newest toast, once. */
export function undoLast(): boolean {
	const undo = lastUndo;
	lastUndo = undefined;
	undo?.();
	return undo !== undefined;
}

export function Toasts() {
	const { toasts: shown } = Toast.useToastManager();
	return (
		<Toast.Viewport className="toasts">
			{shown.map((toast) => (
				<Toast.Root key={toast.id} toast={toast} className="toast">
					<Toast.Title className="cut" />
					<Toast.Action className="btn" />
				</Toast.Root>
			))}
		</Toast.Viewport>
	);
}
