import { Toast } from "@base-ui/react/toast";
import { type ComponentProps, useEffect, useState } from "react";
import { useStore } from "../connection/store.ts";
import { type Undo, undoLast, untold } from "../state/toasts.ts";
import { keysOf } from "../text/key-names.ts";

/** Short messages shown for eight seconds, with Undo where possible. */
export function Toasts() {
	return (
		<Toast.Provider timeout={8000} limit={3}>
			<ToastList />
		</Toast.Provider>
	);
}

function ToastList() {
	const { toasts: shown, add, close } = Toast.useToastManager();
	const waiting = useStore(untold);
	const [current] = useState(() => new Map<string, string>());
	// biome-ignore lint/correctness/useExhaustiveDependencies: each message is shown once, when it comes
	useEffect(() => {
		if (waiting.length === 0) return;
		for (const told of untold.value) {
			const earlier = told.about === undefined ? undefined : current.get(told.about);
			if (earlier !== undefined) close(earlier);
			const id = add({ title: told.text, ...(told.undo && { actionProps: undoButton(told.undo, () => close(id)) }) });
			if (told.about !== undefined) current.set(told.about, id);
		}
		untold.set([]);
	}, [waiting]);
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

function undoButton({ word }: Undo, close: () => void): ComponentProps<"button"> {
	return {
		children: (
			<>
				{word}
				<span className="hide-n" aria-hidden="true">
					<kbd>{keysOf("Mod+Z")}</kbd>
				</span>
			</>
		),
		onClick: () => {
			undoLast();
			close();
		},
	};
}
