import type { ClaimWords } from "./claim-words.ts";

export const french: ClaimWords = {
	self: "j'ai je nous on xworkmate assistant",
	other: "tu vous il elle ils elles quelqu'un qui personne",
	passive: "été est sont fut furent était étaient c'est voilà",
	made: "créé créée créés créées fait faite faits faites ajouté ajoutée ajoutés ajoutées modifié modifiée modifiés modifiées enregistré enregistrée enregistrés enregistrées écrit écrite généré générée exporté exportée téléversé renommé renommée déplacé déplacée terminé terminée terminés terminées fini achevé corrigé configuré configurée installé installée retiré retirée copié remplacé inséré complété jour",
	acted:
		"planifié planifiée planifiés planifiées programmé programmée programmés programmées supprimé supprimée supprimés supprimées effacé effacée effacés envoyé envoyée envoyés envoyées expédié expédiée notifié notifiée prévenu réservé réservée réservés réservées rappelé rappelée annulé annulée annulés annulées payé payée payés payées réglé réglée remboursé remboursée viré acheté achetée commandé commandée posté postée publié publiée publiés publiées déployé déployée déployés déployées lancé lancée redémarré redémarrée soumis soumise invité invitée confirmé confirmée fixé fixée placé mis mise activé activée désactivé désactivée fermé fermée clôturé attribué archivé archivée accepté refermé transféré transférée transmis transmise partagé partagée inscrit inscrite livré livrée effectué effectuée effectués effectuées exécuté exécutée réalisé réalisée passé passée pris prise organisé organisée",
	own: "vérifié vérifiée testé testée sauvegardé sauvegardée restauré restaurée signé signée informé",
	selfDone: "",
	off: "ne n'ai n'a n'est n'ont n'avons n'était n'étaient n'y pas jamais rien aucun aucune ni peux peut pouvez pouvons pourrais pourrait pourrions vais va allons allez veux veux-tu voulez voudrais dois doit devrait échoué échec échoue refusé refusée refusés rejeté impossible malheureusement s'il veuillez serai sera seront serait ferai enverrai créerai programmerai supprimerai réserverai essayé attente prêt prête",
	condition: "si quand lorsque dès après avant jusqu'à comment pourquoi où combien",
	reading: "trouvé vois vu lu constaté remarqué selon d'après indique montre affiche dit",
	past: "hier dernière dernier derniers initialement auparavant actuellement prochain prochaine habituellement autrefois précédemment",
	text: "ci-dessous ci-dessus dessous dessus voici suivant suivante suivants brouillon résumé explication exemple exemples aperçu traduction plan comparaison suggestion suggestions réponse extrait paragraphe phrase",
	thing:
		"rappel réunion rendez-vous événement évènement alarme e-mail email mail courriel message invitation paiement facture réservation ticket commande publication article calendrier agenda vol chambre table déploiement virement remboursement abonnement compte utilisateur notification tâche fichier appel",
	determiner: "le la les un une des l ce cet cette ces mon ma mes votre vos ton ta tes notre nos chaque nouvellement récemment",
	lead: "avec succès bien maintenant désormais aussi déjà tout c'est c'était voilà parfait ok oui d'accord super",
	after: "le la les un une votre vos ton ta pour à au aux dans sur avec de du demain tous toutes avec",
	and: "et ou",
	but: "mais cependant toutefois donc puis car alors",
	by: "par",
	common: "le la les un une de du des et à au pour dans sur avec que qu'il ce votre vos ton ta ai a avons ont été l'événement",
	phrases:
		"c'est fait | c'est bon | tout est prêt | tout est en ordre | est dans votre calendrier | est dans ton calendrier | est maintenant dans votre calendrier | est maintenant dans votre agenda | est dans votre agenda | est désormais dans votre calendrier | est dans ton agenda | m'en suis occupé | m'en suis chargé | est en ligne | est parti | est maintenant au courant | sont maintenant au courant | mis à jour | mise à jour | mis au calendrier | viens d'envoyer | viens de créer | viens de supprimer | viens de réserver | viens d'annuler | viens de programmer | viens de payer | viens de publier",
	harmless:
		"pas de problème | pas de souci | aucun problème | sans problème | sans erreur | pas seulement | comme demandé | comme convenu | comme prévu",
	target:
		"document rapport tableau liste ligne colonne page site version branche code script dossier brouillon note modification mise commentaire projet base serveur paramètre contact groupe canal lumière porte colis produit panier formulaire demande réponse question adhésion plan clé mot photo image vidéo présentation sauvegarde restaurant hôtel somme montant frais cadeau suppression",
	yours: "votre vos ton ta tes mon ma mes notre nos",
	told: "notifié notifiée prévenu invité invitée rappelé rappelée informé",
	place: "en dans à au aux depuis sur entre pendant durant près après chez",
	team: "le la les l un une deux trois plusieurs des",
	describing: "fait de | fabriqué en",
};
