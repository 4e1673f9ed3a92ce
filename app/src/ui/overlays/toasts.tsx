import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { useStore } from "../connection/store.ts";
import { type ToldToast, undoLast, untold } from "../state/toasts.ts";
import { keysOf } from "../text/key-names.ts";

const toasts = Toast.createToastManager();

/** Short messages shown for eight seconds, with Undo where possible. */
export function Toasts() {
	return (
		<Toast.Provider toastManager={toasts} timeout={8000} limit={3}>
			<ToastList />
		</Toast.Provider>
	);
}

function ToastList() {
	const { toasts: shown } = Toast.useToastManager();
	const waiting = useStore(untold);
	useEffect(() => {
		if (waiting.length === 0) return;
		for (const told of untold.value) show(told);
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

function show({ text, undo }: ToldToast): void {
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
