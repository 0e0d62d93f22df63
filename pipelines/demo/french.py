"""L'aide d'une compagnie de ferries : a ferry company's help, in French."""

from pipelines.demo.topics import Talk, Topic

_TOPICS = (
    Topic(
        title="Bagages à bord",
        questions=("Combien de bagages puis-je emporter à bord ?", "Où ranger une valise pendant la traversée ?"),
        facts=(
            "Chaque passager peut emporter deux bagages à bord, de vingt kilos chacun.",
            "Une valise se range dans le local du pont trois, fermé pendant la traversée.",
            "Les bagages oubliés sont gardés trente jours au guichet du port.",
            "Un bagage supplémentaire coûte sept euros à bord.",
        ),
        follow_ups=("Et pour un troisième ?", "Combien de temps les gardez-vous ?"),
    ),
    Topic(
        title="Voyager avec un chien",
        questions=("Mon chien peut-il voyager en cabine ?", "Faut-il une muselière pour voyager avec un chien ?"),
        facts=(
            "Un chien peut voyager en cabine animaux, au prix de dix-huit euros par trajet.",
            "La muselière est obligatoire dans les couloirs pour tout chien de plus de dix kilos.",
            "Une promenade avec le chien est permise sur le pont arrière.",
            "Le passeport européen et la vaccination du chien sont vérifiés avant de voyager.",
        ),
        follow_ups=("Et pour un chat ?", "Quels papiers faut-il ?"),
    ),
    Topic(
        title="Modifier un billet",
        questions=("Comment modifier la date de mon billet ?", "Quels frais pour modifier un billet flexible ?"),
        facts=(
            "La date d'un billet se modifie en ligne jusqu'à deux heures avant le départ.",
            "Un billet flexible se modifie sans frais, un billet économique pour quinze euros.",
            "Le nom inscrit sur le billet se modifie une seule fois.",
            "Après le départ manqué, un billet reste valable vingt-quatre heures.",
        ),
        follow_ups=("Et si je rate le départ ?", "C'est payant ?"),
    ),
    Topic(
        title="Embarquer une voiture",
        questions=(
            "À quelle heure embarquer avec ma voiture ?",
            "Quelle hauteur maximale pour embarquer une voiture ?",
        ),
        facts=(
            "Il faut embarquer avec la voiture une heure avant l'appareillage.",
            "La hauteur maximale pour embarquer une voiture est de un mètre quatre-vingt-dix.",
            "Un coffre de toit compte dans la hauteur de la voiture.",
            "Les voitures électriques embarquent en premier et se chargent au garage.",
        ),
        follow_ups=("Avec un coffre de toit ?", "Et une électrique ?"),
    ),
    Topic(
        title="Restaurant et menus",
        questions=("Le restaurant propose-t-il un menu végétarien ?", "À quelle heure ferme le restaurant du soir ?"),
        facts=(
            "Le restaurant propose un menu végétarien à seize euros, avec dessert.",
            "Le restaurant du soir ferme à vingt-deux heures, le bar à minuit.",
            "Un menu enfant est proposé jusqu'à douze ans.",
            "Réservez une table du restaurant par la fenêtre dès l'achat.",
        ),
        follow_ups=("Et pour les enfants ?", "Jusqu'à quelle heure ?"),
    ),
    Topic(
        title="Mal de mer",
        questions=(
            "Que prendre contre le mal de mer quand il y a de la houle ?",
            "Quelle place choisir pour éviter le mal de mer ?",
        ),
        facts=(
            "Contre le mal de mer, regardez l'horizon et mangez du gingembre.",
            "Pour éviter le mal de mer, choisissez une place au centre, près de la ligne d'eau.",
            "L'infirmerie donne des comprimés contre le mal de mer.",
            "Prenez le comprimé une heure avant la houle.",
        ),
        follow_ups=("Quand faut-il le prendre ?", "Avez-vous des comprimés ?"),
    ),
    Topic(
        title="Carte de fidélité",
        questions=("Combien de points donne la carte de fidélité ?", "Comment utiliser les points de fidélité ?"),
        facts=(
            "La carte de fidélité donne un point par euro dépensé.",
            "Utilisez cent points de fidélité pour une remise de cinq euros.",
            "Les points de la carte expirent après deux ans.",
            "La carte de fidélité est gratuite et partagée en famille.",
        ),
        follow_ups=("Est-ce qu'ils expirent ?", "Et pour la famille ?"),
    ),
    Topic(
        title="Connexion internet",
        questions=("Y a-t-il une connexion internet en mer ?", "Combien coûte la connexion internet rapide ?"),
        facts=(
            "Une connexion internet par satellite existe en mer, dans les salons.",
            "La connexion internet rapide coûte six euros par jour et par appareil.",
            "Le code de connexion est imprimé au dos du plan.",
            "Les appels vidéo sont coupés quand le satellite est saturé.",
        ),
        follow_ups=("Où est le code ?", "Même pour la vidéo ?"),
    ),
    Topic(
        title="Fauteuil roulant et assistance",
        questions=(
            "Comment demander une assistance en fauteuil roulant ?",
            "Les cabines conviennent-elles au fauteuil ?",
        ),
        facts=(
            "Demandez l'assistance en fauteuil roulant quarante-huit heures plus tôt, par téléphone.",
            "Quatre cabines conviennent au fauteuil roulant, avec douche de plain-pied.",
            "L'assistance attend au parking bleu du terminal.",
            "L'accompagnateur d'une personne en fauteuil paie demi-tarif.",
        ),
        follow_ups=("Et l'accompagnateur ?", "Où attend-elle ?"),
    ),
    Topic(
        title="Annulation pour tempête",
        questions=("Que se passe-t-il en cas d'annulation pour tempête ?", "Suis-je remboursé après une annulation ?"),
        facts=(
            "En cas d'annulation pour tempête, un message part six heures plus tôt.",
            "Vous êtes remboursé sous sept jours après une annulation, ou replacé.",
            "L'hôtel est pris en charge une nuit si la tempête dure.",
            "Le remboursement revient sur le moyen de paiement utilisé.",
        ),
        follow_ups=("L'hôtel est compris ?", "Sous combien de jours ?"),
    ),
)

FRENCH = Talk(
    language="fr",
    topics=_TOPICS,
    short=("ok", "merci !", "oui", "parfait", "hm"),
    nods=("Oui, la deuxième s'il vous plaît.", "Continuez, dites-m'en plus.", "D'accord, cela me convient."),
    corrections=("On a déjà essayé ça.", "J'ai dit non à celle-là.", "Non, cela n'a pas marché chez nous."),
    farewells=("Merci beaucoup, au revoir !", "C'est tout, bonne soirée à vous."),
    courtesies=("Puis-je vous aider encore ?", "N'hésitez pas à revenir vers nous.", ""),
    disclaimers=(
        "Désolé, je ne sais pas.",
        "Je n'ai aucune information à ce sujet.",
        "Je n'ai pas trouvé d'information sur ce point. Veuillez contacter notre équipe.",
        "Les documents ne précisent pas ce point.",
    ),
    partial=(
        "Je ne suis pas sûr pour votre cas précis, mais voici ce que j'ai :",
        "Je n'ai pas tous les détails, mais",
    ),
    snippet="Déjà demandé : {question} Réponse retenue : {fact}",
    rewrite="{title} : {question}",
)
