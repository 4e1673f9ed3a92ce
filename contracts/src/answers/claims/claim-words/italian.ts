import type { ClaimWords } from "./claim-words.ts";

export const italian: ClaimWords = {
	self: "ho abbiamo io noi xworkmate assistente",
	other: "tu hai avete lei lui loro qualcuno chi",
	passive: "stato stata stati state è sono era erano viene",
	made: "creato creata creati create fatto fatta fatti aggiunto aggiunta aggiunti aggiornato aggiornata aggiornati aggiornate salvato salvata scritto scritta modificato modificata cambiato cambiata generato generata esportato caricato caricata rinominato spostato spostata finito terminato terminata completato completata completati corretto configurato configurata installato rimosso rimossa copiato sostituito pronto",
	acted:
		"programmato programmata programmati programmate pianificato pianificata fissato fissata eliminato eliminata eliminati eliminate cancellato cancellata cancellati cancellate inviato inviata inviati inviate spedito spedita mandato mandata notificato avvisato prenotato prenotata prenotati prenotate ricordato annullato annullata annullati annullate disdetto disdetta pagato pagata pagati pagate rimborsato trasferito acquistato acquistata comprato ordinato pubblicato pubblicata pubblicati pubblicate postato distribuito distribuita rilasciato rilasciata lanciato riavviato inoltrato invitato confermato confermata impostato impostata messo messa attivato attivata disattivato chiuso chiusa assegnato archiviato accettato condiviso condivisa registrato registrata effettuato effettuata eseguito eseguita realizzato realizzata consegnato consegnata deployato",
	own: "verificato testato ripristinato firmato informato",
	selfDone: "inviai creai prenotai programmai cancellai",
	off: "non mai niente nulla nessun nessuno nessuna né posso può possono possiamo potrei potrebbe potremmo vorrei vuoi vuole voglio devo deve dovrebbe fallito fallita fallimento rifiutato rifiutata negato negata respinto impossibile purtroppo favore farò sarà saranno sarebbe invierò creerò programmerò eliminerò prenoterò provato tentato attesa",
	condition: "se quando dopo prima finché come dove qualora",
	reading: "trovato vedo visto letto notato secondo indica mostra dice risulta",
	past: "ieri scorso scorsa ultimo ultima originariamente precedentemente attualmente prossimo prossima solitamente",
	text: "sotto sopra qui ecco seguente seguenti bozza riassunto riepilogo spiegazione esempio esempi panoramica traduzione schema confronto suggerimento suggerimenti risposta frammento paragrafo frase",
	thing:
		"promemoria riunione appuntamento evento sveglia e-mail email mail messaggio invito pagamento fattura prenotazione ticket ordine post calendario agenda volo camera stanza tavolo bonifico rimborso abbonamento account utente notifica attività file chiamata",
	determiner: "il lo la i gli le un uno una questo questa questi queste tuo tua tuoi tue suo sua mio mia nostro nostra ogni",
	lead: "successo ora adesso appena anche già tutto perfetto ok sì bene",
	after: "il lo la i gli le un una tuo tua per a al alla alle in nel nella con di del domani tutti tutte correttamente",
	and: "e ed o",
	but: "ma però tuttavia quindi poi perché",
	by: "da dal dalla",
	common: "il lo la i gli le un una di del della e a al alle per in nel con che ti tuo tua ho hai ha domani",
	phrases:
		"tutto pronto | tutto fatto | ecco fatto | è nel tuo calendario | è ora nel tuo calendario | ora è nel tuo calendario | è già nel tuo calendario | è nella tua agenda | adesso è nel tuo calendario | me ne sono occupato | è online | è partito | tutto a posto",
	harmless: "nessun problema | senza problemi | senza errori | non solo | come richiesto | come chiesto | come concordato",
	target:
		"documento rapporto relazione tabella lista riga colonna pagina sito versione ramo codice script cartella bozza nota modifica aggiornamento commento progetto database server impostazione contatto gruppo canale luce porta pacco prodotto carrello modulo richiesta risposta domanda piano chiave password foto immagine video presentazione copia ristorante hotel importo denaro tariffa regalo articolo messaggi eventi",
	yours: "tuo tua tuoi tue suo sua suoi sue mio mia nostro nostra",
	told: "notificato avvisato invitato informato",
	place: "in nel nella nei nelle nell'ultimo a al da dal durante tra fra dopo vicino su sul",
	team: "i gli due tre entrambi vari",
	describing: "fatto di | fatta di",
};
